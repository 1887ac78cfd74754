-- relation: values
-- grain: one row per value of the source, or end of a published cell
-- inputs: external, places
-- outputs: code, held, below, bin, number
-- paper: none
-- The source's different values in order: below are how many come before one. Bins have a value each, or
-- where there are too many about as many records each. Code 0 is NULL; what no record has is not held.
with coded as (
    select
        case
            when external_table.q7 is null then 0
            else coalesce(places.code, -1)
        end as code
    from "sqlanon_external" as external_table
    left join "sqlanon_known_q7" as places
        on cast(external_table.q7 as double) = places.value
),

counted as (
    select
        coded.code,
        count(*) as records
    from coded
    group by coded.code
),

known as (
    select places.code
    from "sqlanon_known_q7" as places
    union
    select 0 as code
    union
    select -1 as code
),

placed as (
    select
        known.code,
        case when counted.records is null then 0 else 1 end as held,
        coalesce(
            sum(case when counted.records is null then 0 else 1 end) over (
                order by known.code rows between unbounded preceding and 1 preceding
            ),
            0
        ) as below,
        coalesce(
            sum(coalesce(counted.records, 0)) over (
                order by known.code rows between unbounded preceding and 1 preceding
            ),
            0
        ) as records_below
    from known
    left join counted
        on known.code = counted.code
),

totals as (
    select
        count(*) as held,
        sum(counted.records) as records
    from counted
),

binned as (
    select
        placed.code,
        placed.held,
        cast(placed.below as bigint) as below,
        case
            when placed.held = 0 then null
            when totals.held <= 20 then cast(placed.below as bigint)
            else cast(floor(cast(placed.records_below as double) * 20 / totals.records) as bigint)
        end as bin
    from placed
    cross join totals
)

select
    binned.code,
    binned.held,
    binned.below,
    case
        when binned.held = 1 then cast(dense_rank() over (order by binned.bin nulls last) as integer)
    end as bin,
    cast(places.value as double) as number
from binned
left join "sqlanon_known_q7" as places
    on binned.code = places.code
