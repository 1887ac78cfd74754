select
    group_classes.number as class_id,
    assigned.x0
from "sqlanon_assigned" as assigned
inner join "sqlanon_merge_groups_1" as group_classes
    on assigned.class_id = group_classes.class_id
