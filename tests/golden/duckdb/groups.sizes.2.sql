-- relation: groups
-- grain: one row per group of classes
-- inputs: assigned, group_classes
-- outputs: class_id, records
-- paper: none
-- How many persons each group has.
select
    group_classes.number as class_id,
    count(*) as records
from "sqlanon_continued" as assigned
inner join "sqlanon_merge_groups_0" as group_classes
    on assigned.class_id = group_classes.class_id
group by group_classes.number
