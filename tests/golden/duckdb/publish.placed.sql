select
    formed.group_id,
    row_number() over (
        partition by formed.group_id
        order by
            assigned.q1
    ) as place,
    assigned.q1
from "sqlanon_assigned" as assigned
inner join "sqlanon_groups" as formed
    on assigned.class_id = formed.class_id
