-- relation: numbers
-- grain: one row per cell
-- inputs: values, stretches
-- outputs: cell, covered, known, least, above, square
-- paper: none
-- How many of the source's values a cell covers, and of numbers, read uniformly: the chance that there is
-- one (NULL is none), and what it is expected to be above the least of the source, and the square of that.
with least_number as (
    select coalesce(min(places.number), 0) as least
    from "sqlanon_values_q1" as places
    where places.held = 1
),

summed as (
    select
        places.below,
        sum(case when places.number is null then 0 else 1 end) over (
            order by places.below rows unbounded preceding
        ) as known,
        sum(coalesce(places.number - least_number.least, 0)) over (
            order by places.below rows unbounded preceding
        ) as above,
        sum(coalesce((places.number - least_number.least) * (places.number - least_number.least), 0)) over (
            order by places.below rows unbounded preceding
        ) as square
    from "sqlanon_values_q1" as places
    cross join least_number
    where places.held = 1
),

cells as (
    select
        stretches.cell,
        cast(sum(stretches.beyond - stretches.first_place) as bigint) as covered,
        sum(lasts.known - coalesce(befores.known, 0)) as known,
        sum(lasts.above - coalesce(befores.above, 0)) as above,
        sum(lasts.square - coalesce(befores.square, 0)) as square
    from "sqlanon_stretches_q1_released" as stretches
    inner join summed as lasts
        on stretches.beyond - 1 = lasts.below
    left join summed as befores
        on stretches.first_place - 1 = befores.below
    group by stretches.cell
)

select
    cells.cell,
    cells.covered,
    cast(cells.known as double) / cells.covered as known,
    least_number.least,
    cells.above / cells.covered as above,
    cells.square / cells.covered as square
from cells
cross join least_number
