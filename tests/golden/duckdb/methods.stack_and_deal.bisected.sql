with summed as (
    select
        clusters.s1,
        clusters.place_s1,
        sum(clusters.frequency * clusters.place_s1) over (partition by clusters.cluster) as total_s1,
        clusters.s2,
        clusters.place_s2,
        sum(clusters.frequency) over (partition by clusters.cluster, clusters.s2) as alike_s2,
        clusters.frequency,
        clusters.block,
        clusters.cluster,
        sum(clusters.frequency) over (partition by clusters.cluster) as records
    from "sqlanon_clusters_0" as clusters
),

-- Without what is the same for all combinations of the cluster.
ranked as (
    select
        summed.s1,
        summed.place_s1,
        summed.s2,
        summed.place_s2,
        summed.frequency,
        summed.block,
        summed.cluster,
        summed.records,
        row_number() over (
            partition by summed.cluster
            order by
                (summed.records * summed.place_s1 - 2 * summed.total_s1) * summed.place_s1
                + (summed.records - summed.alike_s2) * 1000000
                desc,
                summed.block desc
        ) as rank
    from summed
),

apart as (
    select
        ranked.s1,
        ranked.place_s1,
        ranked.s2,
        ranked.place_s2,
        ranked.frequency,
        ranked.block,
        ranked.cluster,
        ranked.records,
        (ranked.place_s1 - poles.place_s1) * (ranked.place_s1 - poles.place_s1) + case when ranked.s2 = poles.s2 then 0 else 1000000 end as apart
    from ranked
    inner join ranked as poles
        on ranked.cluster = poles.cluster and poles.rank = 1
),

farthest as (
    select
        apart.s1,
        apart.place_s1,
        apart.s2,
        apart.place_s2,
        apart.cluster,
        row_number() over (partition by apart.cluster order by apart.apart desc, apart.block desc) as rank
    from apart
),

leaning as (
    select
        apart.s1,
        apart.place_s1,
        apart.s2,
        apart.place_s2,
        apart.frequency,
        apart.block,
        apart.cluster,
        apart.records,
        apart.apart - ((apart.place_s1 - poles.place_s1) * (apart.place_s1 - poles.place_s1) + case when apart.s2 = poles.s2 then 0 else 1000000 end) as lean
    from apart
    inner join farthest as poles
        on apart.cluster = poles.cluster and poles.rank = 1
),

lined as (
    select
        leaning.s1,
        leaning.place_s1,
        leaning.s2,
        leaning.place_s2,
        leaning.frequency,
        leaning.block,
        leaning.cluster,
        leaning.records,
        sum(leaning.frequency) over (
            partition by leaning.cluster order by leaning.lean, leaning.block rows unbounded preceding
        ) as reached
    from leaning
)

select
    lined.s1,
    lined.s2,
    lined.frequency,
    lined.block,
    lined.place_s1,
    lined.place_s2,
    -- The first combination has a half of its own, and so has the last of several.
    2 * lined.cluster + case when 2 * lined.reached - lined.frequency <= lined.records then 0 else 1 end as cluster
from lined
