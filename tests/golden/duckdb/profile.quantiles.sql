-- relation: quantiles
-- grain: one row per group of neighbouring numbers
-- inputs: profile_values
-- outputs: part, least, greatest, records
-- paper: none
-- A column's numbers in groups of about as many records each: a number goes by the middle of its stretch of the
-- cumulated frequencies, so that equal numbers stay together. A group that no middle falls into is left out.
with numbered as (
    select
        profile_values.number,
        cast(sum(profile_values.records) as bigint) as records
    from "sqlanon_profile_values" as profile_values
    where
        profile_values.number is not null
        and abs(profile_values.number) < 1e300
    group by profile_values.number
),

cumulated as (
    select
        numbered.number,
        numbered.records,
        2 * cast(sum(numbered.records) over (order by numbered.number rows unbounded preceding) as bigint)
        - numbered.records as middle,
        2 * cast(sum(numbered.records) over () as bigint) as scale
    from numbered
),

parted as (
    select
        cumulated.number,
        cumulated.records,
        cast(floor(cast(cumulated.middle as double) * 64 / cumulated.scale) as integer) as part
    from cumulated
)

select
    parted.part,
    min(parted.number) as least,
    max(parted.number) as greatest,
    cast(sum(parted.records) as bigint) as records
from parted
group by parted.part
order by parted.part
