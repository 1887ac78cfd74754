with blocks as (
    select
        clusters.s1,
        clusters.s2,
        clusters.frequency,
        row_number() over (order by clusters.cluster, clusters.block) - 1 as block
    from "sqlanon_clusters_10" as clusters
)

select
    blocks.s1,
    blocks.s2,
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks
