select count(*) as labels
from "sqlanon_nodes_q1" as nodes
where nodes.meanings > 1
having count(*) > 0
