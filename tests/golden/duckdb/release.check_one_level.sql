-- relation: check_one_level
-- grain: one row if the level is above the highest that is allowed
-- inputs: one_level
-- outputs: level
-- paper: none
select max(one_level.level) as level
from "sqlanon_one_level_q2" as one_level
having max(one_level.level) > 3
