-- relation: striped
-- grain: one row per record
-- inputs: lined
-- outputs: q*, s*, x*|k*, place, stripe
-- paper: sqlanon, striped Stack & Deal
-- The curve cut into stripes of equally many records. A record's position along the curve is where
-- the records of its place begin, plus its number among them: no window over all records.
with places as (
    select
        lined.q2,
        lined.place,
        count(*) as records
    from "sqlanon_lined" as lined
    group by lined.q2, lined.place
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
        lined.q1,
        lined.q2,
        lined.q3,
        lined.s1,
        lined.k1,
        lined.place,
        begun.total,
        begun.start + row_number() over (
            partition by lined.q2, lined.place
            order by
                lined.q1,
                lined.q2,
                lined.q3,
                lined.turn,
                lined.s1,
                lined.k1
        ) - 1 as position
    from "sqlanon_lined" as lined
    inner join begun
        on
            lined.place = begun.place
            and lined.q2 = begun.q2
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
