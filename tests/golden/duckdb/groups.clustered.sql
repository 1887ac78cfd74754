-- relation: group_classes
-- grain: one row per class
-- inputs: group_classes, class_clusters
-- outputs: class_id, number
-- paper: none
-- The groups cluster by cluster, and within each in the order that they have.
select
    group_classes.class_id,
    row_number() over (order by class_clusters.cluster, group_classes.number) as number
from "sqlanon_apart_groups_0" as group_classes
inner join "sqlanon_apart_clusters" as class_clusters
    on group_classes.class_id = class_clusters.class_id
