select
    group_classes.number as class_id,
    assigned.s2 as code,
    assigned.s2 as position,
    count(*) as records
from "sqlanon_assigned" as assigned
inner join "sqlanon_guard_united_0" as group_classes
    on assigned.class_id = group_classes.class_id
group by group_classes.number, assigned.s2
