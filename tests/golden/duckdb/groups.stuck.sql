-- relation: stuck_groups
-- grain: one row
-- inputs: group_states
-- outputs: stuck
-- paper: none
select cast(coalesce(sum(group_states.stuck), 0) as bigint) as stuck
from "sqlanon_apart_states" as group_states
