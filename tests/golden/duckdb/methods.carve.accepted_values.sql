-- relation: accepted_values
-- grain: one row per new class and combination of sensitive values in it
-- inputs: begun, carved_values, remainder, combinations, open_values_*
-- outputs: class_id, group_id, value, taken
-- paper: sqlanon, Carve II §3
-- The longest run of classes that leaves a remainder of nothing, or of at least k records within a
-- part of t: a lopsided remainder could not be split. First come the largest; by an ordered distance or
-- by several attributes, those of which a record does most for the remainder.
with sizes as (
    select
        carved_values.region,
        carved_values.group_id,
        min(carved_values.size) as size
    from "sqlanon_carve_carved" as carved_values
    group by carved_values.region, carved_values.group_id
),

margins_s1 as (
    select
        carved_values.region,
        carved_values.group_id,
        combinations.s1_place as place,
        cast(sum(carved_values.taken) as bigint) as taken
    from "sqlanon_carve_carved" as carved_values
    inner join "sqlanon_carve_combinations" as combinations
        on carved_values.value = combinations.code
    group by carved_values.region, carved_values.group_id, combinations.s1_place
),

runs as (
    select
        sizes.region,
        sizes.group_id,
        row_number() over (
            partition by sizes.region
            order by sizes.size desc, sizes.group_id asc
        ) as place,
        cast(
            sum(sizes.size) over (
                partition by sizes.region
                order by sizes.size desc, sizes.group_id asc
                rows unbounded preceding
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

left_s1 as (
    select
        runs.region,
        runs.place as run,
        open_values.place,
        open_values.frequency,
        open_values.below,
        open_values.span,
        open_values.open_records - runs.taken as size,
        open_values.records - cast(
            coalesce(
                sum(margins_s1.taken) over (
                    partition by runs.region, open_values.place order by runs.place rows unbounded preceding
                ),
                0
            ) as bigint
        ) as records
    from runs
    inner join "sqlanon_carve_open_values_s1" as open_values
        on runs.region = open_values.region
    left join margins_s1
        on runs.group_id = margins_s1.group_id and open_values.place = margins_s1.place
),

ranked_s1 as (
    select
        left_s1.region,
        left_s1.run,
        left_s1.size,
        left_s1.frequency,
        left_s1.below,
        left_s1.span,
        left_s1.records
    from left_s1
),

passing_s1 as (
    select
        ranked_s1.region,
        ranked_s1.run
    from ranked_s1
    group by ranked_s1.region, ranked_s1.run, ranked_s1.size
    having
        ranked_s1.size = 0
        or (
            ranked_s1.size >= 10
            and cast(
                sum(
                    case
                        when
                            ranked_s1.records * 240
                            > ranked_s1.frequency * ranked_s1.size
                            then
                                ranked_s1.records * 240
                                - ranked_s1.frequency * ranked_s1.size
                        else 0
                    end
                ) as decimal(38, 0)
            ) * 100
            <= cast(ranked_s1.size as decimal(38, 0))
            * 15120
        )
),

longest as (
    select
        runs.region,
        max(runs.place) as place
    from runs
    inner join open_records
        on runs.region = open_records.region
    inner join passing_s1
        on runs.region = passing_s1.region and runs.place = passing_s1.run
    where open_records.records = runs.taken or open_records.records - runs.taken >= 10
    group by runs.region
),

accepted as (
    select
        runs.group_id,
        begun.classes + row_number() over (order by runs.region, runs.place) - 1 as class_id
    from runs
    inner join longest
        on runs.region = longest.region
    cross join "sqlanon_carve_begun" as begun
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
