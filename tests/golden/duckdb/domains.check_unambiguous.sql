-- relation: check_unambiguous
-- grain: one row if a label of the hierarchy names several different groups
-- inputs: nodes
-- outputs: labels
-- paper: none
select count(*) as labels
from "sqlanon_nodes_q1" as nodes
where nodes.meanings > 1
having count(*) > 0
