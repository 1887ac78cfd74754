-- relation: shown_groups
-- grain: one row per group of classes
-- inputs: group_classes, class_clusters, recoded, sizes
-- outputs: number, cluster, records, of_cluster, shown, times
-- paper: none
-- What every group shows, called by the first group that shows it, and how many do. Of one cluster there is
-- but one among them.
with clustered as (
    select distinct
        group_classes.number,
        class_clusters.cluster
    from "sqlanon_apart_united_0" as group_classes
    inner join "sqlanon_apart_clusters" as class_clusters
        on group_classes.class_id = class_clusters.class_id
)

select
    clustered.number,
    clustered.cluster,
    sizes.records,
    count(*) over (partition by clustered.cluster) as of_cluster,
    min(clustered.number) over (
        partition by recoded.p1, recoded.p2, recoded.p3
    ) as shown,
    count(*) over (
        partition by recoded.p1, recoded.p2, recoded.p3
    ) as times
from clustered
inner join "sqlanon_apart_sizes" as sizes
    on clustered.number = sizes.class_id
inner join "sqlanon_apart_recoded" as recoded
    on clustered.number = recoded.class_id
