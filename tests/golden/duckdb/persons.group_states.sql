-- relation: group_states
-- grain: one row per group of classes
-- inputs: held
-- outputs: number, fails
-- paper: none
-- Whether a group falls short of any model.
select
    held.class_id as number,
    1 - min(held.holds) as fails
from "sqlanon_merge_held" as held
group by held.class_id
