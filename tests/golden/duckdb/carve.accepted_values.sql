-- relation: accepted_values
-- grain: one row per new class and sensitive value in it
-- inputs: carved_values, remainder
-- outputs: class_id, group_id, value, taken
-- paper: sqlanon, Carve §4
-- The longest run of classes, largest first, that leaves a remainder of nothing, or of at least k
-- records within a part of t: a lopsided remainder could not be split.
with sizes as (
    select
        carved_values.region,
        carved_values.group_id,
        min(carved_values.size) as size
    from "sqlanon_carve_carved" as carved_values
    group by carved_values.region, carved_values.group_id
),

runs as (
    select
        sizes.region,
        sizes.group_id,
        row_number() over (partition by sizes.region order by sizes.size desc, sizes.group_id asc) as place,
        cast(
            sum(sizes.size) over (
                partition by sizes.region order by sizes.size desc, sizes.group_id asc rows unbounded preceding
            ) as bigint
        ) as taken
    from sizes
),

open_records as (
    select
        remainder.region,
        cast(sum(remainder.records) as bigint) as records
    from "sqlanon_carve_remainder" as remainder
    group by remainder.region
),

left_values as (
    select
        runs.region,
        runs.place,
        remainder.frequency,
        open_records.records - runs.taken as size,
        remainder.records - cast(
            coalesce(
                sum(carved_values.taken) over (
                    partition by runs.region, remainder.value order by runs.place rows unbounded preceding
                ),
                0
            ) as bigint
        ) as records
    from runs
    inner join "sqlanon_carve_remainder" as remainder
        on runs.region = remainder.region
    inner join open_records
        on runs.region = open_records.region
    left join "sqlanon_carve_carved" as carved_values
        on runs.group_id = carved_values.group_id and remainder.value = carved_values.value
),

passing as (
    select
        left_values.region,
        left_values.place
    from left_values
    group by left_values.region, left_values.place, left_values.size
    having
        left_values.size = 0
        or (
            left_values.size >= 10
            and cast(
                sum(
                    case
                        when left_values.records * 240 > left_values.frequency * left_values.size
                            then
                                left_values.records * 240
                                - left_values.frequency * left_values.size
                        else 0
                    end
                ) as decimal(38, 0)
            ) * 100
            <= cast(left_values.size as decimal(38, 0)) * 15120
        )
),

longest as (
    select
        passing.region,
        max(passing.place) as place
    from passing
    group by passing.region
),

accepted as (
    select
        runs.group_id,
        0 + row_number() over (order by runs.region, runs.place) - 1 as class_id
    from runs
    inner join longest
        on runs.region = longest.region
    where runs.place <= longest.place
)

select
    accepted.class_id,
    accepted.group_id,
    carved_values.value,
    carved_values.taken
from accepted
inner join "sqlanon_carve_carved" as carved_values
    on accepted.group_id = carved_values.group_id
