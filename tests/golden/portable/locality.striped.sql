-- relation: striped
-- grain: one row per record
-- inputs: along
-- outputs: q*, s*, x*|k*, place, stripe
-- paper: sqlanon, striped Stack & Deal
-- The curve cut into stripes of equally many records. A record's position along the curve is where
-- the records of its place begin, plus its number among them: no window over all records. Records
-- alike in every quasi-identifier take turns by their sensitive values, so that a border among them
-- falls the same in every run and leaves both of its sides their share of every value.
with numbered as (
    select
        along.q1,
        along.q2,
        along.q3,
        along.s1,
        along.k1,
        along.place,
        row_number() over (
            partition by along.q1, along.q2, along.q3, along.s1
            order by along.k1
        ) as number,
        count(*) over (
            partition by along.q1, along.q2, along.q3, along.s1
        ) as numbers
    from "sqlanon_along" as along
),

turns as (
    select
        numbered.q1,
        numbered.q2,
        numbered.q3,
        numbered.s1,
        numbered.k1,
        numbered.place,
        cast(2 * numbered.number - 1 as double) / numbered.numbers as turn
    from numbered
),

places as (
    select
        along.q2,
        along.place,
        count(*) as records
    from "sqlanon_along" as along
    group by along.q2, along.place
),

begun as (
    select
        places.q2,
        places.place,
        cast(
            sum(places.records) over (
                order by places.q2, places.place
                rows unbounded preceding
            ) - places.records as bigint
        ) as start,
        cast(sum(places.records) over () as bigint) as total
    from places
),

placed as (
    select
        turns.q1,
        turns.q2,
        turns.q3,
        turns.s1,
        turns.k1,
        turns.place,
        begun.total,
        begun.start + row_number() over (
            partition by turns.q2, turns.place
            order by
                turns.q1,
                turns.q2,
                turns.q3,
                turns.turn,
                turns.s1,
                turns.k1
        ) - 1 as position
    from turns
    inner join begun
        on
            turns.place = begun.place
            and turns.q2 = begun.q2
),

counted as (
    select
        placed.q1,
        placed.q2,
        placed.q3,
        placed.s1,
        placed.k1,
        placed.place,
        placed.position,
        placed.total,
        case
            when placed.total < 2 * 100 then 1
            else (placed.total - placed.total % 100) / 100
        end as stripes
    from placed
)

select
    counted.q1,
    counted.q2,
    counted.q3,
    counted.s1,
    counted.k1,
    counted.place,
    cast(floor(cast(counted.position as double) * counted.stripes / counted.total) as bigint) as stripe
from counted
