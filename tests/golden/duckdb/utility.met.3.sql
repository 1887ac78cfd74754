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
    from "sqlanon_values_q4" as held_values
    where held_values.held = 1
),

judged as (
    select
        held_values.below,
        held_values.number,
        case
            when cast(places.value as date) between cast('2020-01-01' as date) and cast('2020-12-31' as date) then 1
            else 0
        end as met_2
    from "sqlanon_values_q4" as held_values
    left join "sqlanon_external_domain_q4" as places
        on held_values.code = places.code
    where held_values.held = 1
),

summed as (
    select
        judged.below,
        sum(judged.met_2) over (
            order by judged.below rows unbounded preceding
        ) as met_2
    from judged
    cross join least_number
),

cells as (
    select
        stretches.cell,
        sum(lasts.met_2 - coalesce(befores.met_2, 0)) as met_2,
        cast(sum(stretches.beyond - stretches.first_place) as double) as covered
    from "sqlanon_stretches_q4_source" as stretches
    inner join summed as lasts
        on stretches.beyond - 1 = lasts.below
    left join summed as befores
        on stretches.first_place - 1 = befores.below
    group by stretches.cell
)

select
    cells.cell,
    cells.met_2 / cells.covered as share_2
from cells
cross join least_number
