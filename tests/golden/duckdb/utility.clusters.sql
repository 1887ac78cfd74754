with both_sides as (
    select
        clustered.cluster,
        clustered.records as source_records,
        0 as released_records
    from "sqlanon_clustered_source" as clustered
    union all
    select
        clustered.cluster,
        0 as source_records,
        clustered.records as released_records
    from "sqlanon_clustered_released" as clustered
)

select
    both_sides.cluster,
    sum(both_sides.source_records) as source_records,
    sum(both_sides.released_records) as released_records
from both_sides
group by both_sides.cluster
