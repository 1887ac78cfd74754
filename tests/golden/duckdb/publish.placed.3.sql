-- relation: placed
-- grain: one row per record
-- inputs: assigned, groups
-- outputs: group_id, place, q*, x*
-- paper: none
-- The records of each group in the order of what they keep. Records that keep the same are
-- interchangeable.
select
    formed.group_id,
    row_number() over (
        partition by formed.group_id
        order by
            assigned.q1,
            assigned.q3,
            assigned.q4
    ) as place,
    assigned.q1,
    assigned.q3,
    assigned.q4
from "sqlanon_suppressed" as assigned
inner join "sqlanon_groups" as formed
    on assigned.class_id = formed.class_id
