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
        row_number() over (
            partition by sizes.region
            order by sizes.size desc, sizes.group_id asc
        ) as number,
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

longest as (
    select
        runs.region,
        max(runs.number) as bin
    from runs
    inner join open_records
        on runs.region = open_records.region
    where open_records.records = runs.taken or open_records.records - runs.taken >= 20
    group by runs.region
),

accepted as (
    select
        runs.group_id,
        begun.classes + row_number() over (order by runs.region, runs.number) - 1 as class_id
    from runs
    inner join longest
        on runs.region = longest.region
    cross join "sqlanon_carve_begun" as begun
    where runs.number <= longest.bin
)

select
    accepted.class_id,
    accepted.group_id,
    carved_values.value,
    carved_values.taken
from accepted
inner join "sqlanon_carve_carved" as carved_values
    on accepted.group_id = carved_values.group_id
