with bins as (
    select
        known.bin,
        min(known.below) as first_place,
        max(known.below) as last_place
    from "sqlanon_values_q7" as known
    where known.held = 1
    group by known.bin
),

labels as (
    select
        known.below,
        cast(places.value as varchar) as label
    from "sqlanon_values_q7" as known
    left join "sqlanon_known_q7" as places
        on known.code = places.code
    where known.held = 1
),

source_masses as (
    select
        cells.bin,
        sum(profiles.records * cells.share) as mass
    from "sqlanon_source_profiles" as profiles
    inner join "sqlanon_read_q7_source" as cells
        on profiles.q7 = cells.cell
    group by cells.bin
),

released_masses as (
    select
        cells.bin,
        sum(profiles.records * cells.share) as mass
    from "sqlanon_released_profiles" as profiles
    inner join "sqlanon_read_q7_released" as cells
        on profiles.q7 = cells.cell
    group by cells.bin
),

totals as (
    select
        (select sum(profiles.records) from "sqlanon_source_profiles" as profiles) as source_records,
        (select sum(profiles.records) from "sqlanon_released_profiles" as profiles) as released_records
)

select
    bins.bin,
    first_labels.label as starts,
    last_labels.label as ends,
    coalesce(source_masses.mass / totals.source_records, 0) as source_share,
    coalesce(released_masses.mass / totals.released_records, 0) as released_share
from bins
inner join labels as first_labels
    on bins.first_place = first_labels.below
inner join labels as last_labels
    on bins.last_place = last_labels.below
left join source_masses
    on bins.bin = source_masses.bin
left join released_masses
    on bins.bin = released_masses.bin
cross join totals
order by bins.bin asc
