-- relation: group_classes
-- grain: one row per class
-- inputs: group_classes, recoded, class_clusters?
-- outputs: class_id, number
-- paper: none
-- Groups that publish the same cells are one to a reader; where classes lie in clusters, those of one.
with clustered as (
    select distinct
        group_classes.number,
        class_clusters.cluster
    from "sqlanon_apart_groups" as group_classes
    inner join "sqlanon_apart_clusters" as class_clusters
        on group_classes.class_id = class_clusters.class_id
),

firsts as (
    select
        recoded.class_id,
        min(recoded.class_id) over (
            partition by clustered.cluster, recoded.p1
        ) as first_class
    from "sqlanon_apart_recoded" as recoded
    inner join clustered
        on recoded.class_id = clustered.number
)

select
    group_classes.class_id,
    firsts.first_class as number
from "sqlanon_apart_groups" as group_classes
inner join firsts
    on group_classes.number = firsts.class_id
