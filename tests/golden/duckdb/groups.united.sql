-- relation: group_classes
-- grain: one row per class
-- inputs: group_classes, recoded, class_clusters?
-- outputs: class_id, number
-- paper: none
-- Groups that publish the same cells are one to a reader; where classes lie in clusters, those of one.
with firsts as (
    select
        recoded.class_id,
        min(recoded.class_id) over (
            partition by recoded.p1, recoded.p2
        ) as first_class
    from "sqlanon_guard_recoded" as recoded
)

select
    group_classes.class_id,
    firsts.first_class as number
from "sqlanon_guard_groups_0" as group_classes
inner join firsts
    on group_classes.number = firsts.class_id
