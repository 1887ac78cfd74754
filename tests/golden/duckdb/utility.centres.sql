with sizes as (
    select
        clustered.cluster,
        sum(clustered.records) as records
    from "sqlanon_clustered_source" as clustered
    group by clustered.cluster
),

sums_q1 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q1_source" as coordinates
        on clustered.q1 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q2 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q2_source" as coordinates
        on clustered.q2 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q3 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q3_source" as coordinates
        on clustered.q3 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q4 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q4_source" as coordinates
        on clustered.q4 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q5 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q5_source" as coordinates
        on clustered.q5 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q6 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q6_source" as coordinates
        on clustered.q6 = coordinates.cell
    group by clustered.cluster, coordinates.axis
),

sums_q7 as (
    select
        clustered.cluster,
        coordinates.axis,
        sum(clustered.records * coordinates.place) as total
    from "sqlanon_clustered_source" as clustered
    inner join "sqlanon_coordinates_q7_source" as coordinates
        on clustered.q7 = coordinates.cell
    group by clustered.cluster, coordinates.axis
)

select
    sums.cluster,
    1 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q1 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    2 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q2 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    3 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q3 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    4 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q4 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    5 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q5 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    6 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q6 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    sums.cluster,
    7 as attribute,
    sums.axis,
    cast(floor(sums.total / sizes.records + 0.500000001e0) as bigint) as place
from sums_q7 as sums
inner join sizes
    on sums.cluster = sizes.cluster
union all
select
    centres.cluster,
    centres.attribute,
    centres.axis,
    centres.place
from "sqlanon_centres_5" as centres
left join sizes
    on centres.cluster = sizes.cluster
where sizes.cluster is null
