select
    group_classes.number as class_id,
    assigned.q1,
    assigned.s1
from "sqlanon_assigned" as assigned
inner join "sqlanon_apart_kept" as group_classes
    on assigned.class_id = group_classes.class_id
