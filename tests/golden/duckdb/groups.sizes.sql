select
    group_classes.number as class_id,
    count(*) as records
from "sqlanon_assigned" as assigned
inner join "sqlanon_merge_placed" as group_classes
    on assigned.class_id = group_classes.class_id
group by group_classes.number
