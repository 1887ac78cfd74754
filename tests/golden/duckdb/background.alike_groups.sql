-- relation: group_states
-- grain: one row per group of classes
-- inputs: group_classes, class_clusters, recoded, sizes
-- outputs: number, cluster, records, fails, stuck
-- paper: none
-- Of groups of several clusters that publish the same cells one may stay: the one that is all of its
-- cluster, or else the largest. The others fail, and where they are all of their cluster are stuck.
with clustered as (
    select distinct
        group_classes.number,
        class_clusters.cluster
    from "sqlanon_apart_united_0" as group_classes
    inner join "sqlanon_class_clusters" as class_clusters
        on group_classes.class_id = class_clusters.class_id
),

counted as (
    select
        clustered.number,
        clustered.cluster,
        sizes.records,
        count(*) over (partition by clustered.cluster) as of_cluster
    from clustered
    inner join "sqlanon_apart_sizes" as sizes
        on clustered.number = sizes.class_id
),

ranked as (
    select
        counted.number,
        counted.cluster,
        counted.records,
        counted.of_cluster,
        row_number() over (
            partition by recoded.p1, recoded.p2
            order by case when counted.of_cluster = 1 then 0 else 1 end, counted.records desc, counted.number asc
        ) as place
    from counted
    inner join "sqlanon_apart_recoded" as recoded
        on counted.number = recoded.class_id
)

select
    ranked.number,
    ranked.cluster,
    ranked.records,
    case when ranked.place > 1 and ranked.of_cluster > 1 then 1 else 0 end as fails,
    case when ranked.place > 1 and ranked.of_cluster = 1 then 1 else 0 end as stuck
from ranked
