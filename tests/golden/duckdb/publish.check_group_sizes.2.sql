-- relation: check_group_sizes
-- grain: one row if groups are too small
-- inputs: groups
-- outputs: groups
-- paper: none
select count(*) as groups
from "sqlanon_group_sizes" as formed
where formed.records < 10
having count(*) > 0
