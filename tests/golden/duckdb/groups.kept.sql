-- relation: group_classes
-- grain: one row per class
-- inputs: group_classes, group_states
-- outputs: class_id, number
-- paper: none
-- The groups but those that are stuck.
select
    group_classes.class_id,
    group_classes.number
from "sqlanon_apart_united_0" as group_classes
inner join "sqlanon_apart_states" as group_states
    on group_classes.number = group_states.number
where group_states.stuck = 0
