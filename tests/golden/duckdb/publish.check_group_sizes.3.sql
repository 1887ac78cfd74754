-- relation: check_group_sizes
-- grain: one row if groups are too small
-- inputs: groups
-- outputs: groups
-- paper: none
select count(*) as groups
from "sqlanon_groups" as formed
where formed.records < 3
having count(*) > 0
