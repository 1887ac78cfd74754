-- relation: met
-- grain: one row per cell
-- inputs: values, places?, stretches
-- outputs: cell, known_*|total_*|share_*
-- paper: none
-- Of each query that asks for the column the share of a cell's values that meet its condition, each of the
-- source's values that it covers being as likely; and where the column is averaged, the share of those that
-- meet it and are numbers, and what these add up to.
with least_number as (
    select coalesce(min(held_values.number), 0) as least
    from "sqlanon_values_q1" as held_values
    where held_values.held = 1
),

judged as (
    select
        held_values.below,
        held_values.number,
        case
            when held_values.number between cast('60.0' as double) and cast('90.0' as double) then 1
            else 0
        end as met_3
    from "sqlanon_values_q1" as held_values
    where held_values.held = 1
),

summed as (
    select
        judged.below,
        sum(case when judged.number is null then 0 else judged.met_3 end) over (
            order by judged.below rows unbounded preceding
        ) as known_3,
        sum(judged.met_3 * coalesce(judged.number - least_number.least, 0)) over (
            order by judged.below rows unbounded preceding
        ) as above_3,
        sum(judged.met_3) over (
            order by judged.below rows unbounded preceding
        ) as met_3
    from judged
    cross join least_number
),

cells as (
    select
        stretches.cell,
        sum(lasts.known_3 - coalesce(befores.known_3, 0)) as known_3,
        sum(lasts.above_3 - coalesce(befores.above_3, 0)) as above_3,
        sum(lasts.met_3 - coalesce(befores.met_3, 0)) as met_3,
        cast(sum(stretches.beyond - stretches.first_place) as double) as covered
    from "sqlanon_stretches_q1_source" as stretches
    inner join summed as lasts
        on stretches.beyond - 1 = lasts.below
    left join summed as befores
        on stretches.first_place - 1 = befores.below
    group by stretches.cell
)

select
    cells.cell,
    cells.known_3 / cells.covered as known_3,
    (cells.above_3 + cells.known_3 * least_number.least) / cells.covered as total_3,
    cells.met_3 / cells.covered as share_3
from cells
cross join least_number
