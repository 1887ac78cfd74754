-- relation: assigned
-- grain: one row per record
-- inputs: assigned, group_classes
-- outputs: class_id, q*|s*|x*
-- paper: none
-- The records with the groups that their classes are joined in as their classes.
select
    group_classes.number as class_id,
    assigned.q1,
    assigned.q2,
    assigned.s1,
    assigned.s2
from "sqlanon_assigned" as assigned
inner join "sqlanon_guard_groups_0" as group_classes
    on assigned.class_id = group_classes.class_id
