with sizes as (
    select
        clustered.cluster,
        sum(clustered.records) as records
    from "sqlanon_clustered_source" as clustered
    group by clustered.cluster
),

sums as (
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 1 and clustered.q1 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 2 and clustered.q2 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 3 and clustered.q3 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 4 and clustered.q4 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 5 and clustered.q5 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 6 and clustered.q6 = points.cell
    group by clustered.cluster, points.attribute, points.axis
    union all
    select
        clustered.cluster,
        points.attribute,
        points.axis,
        sum(clustered.records * points.coordinate) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_points_source" as points
        on points.attribute = 7 and clustered.q7 = points.cell
    group by clustered.cluster, points.attribute, points.axis

)

select
    sums.cluster,
    sums.attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as coordinate
from sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    centres.cluster,
    centres.attribute,
    centres.axis,
    centres.coordinate
from "sqlanon_centres_5" as centres
left join sizes
    on centres.cluster = sizes.cluster
where sizes.cluster is null
