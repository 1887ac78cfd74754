with places as (
    select
        curve_order.q2,
        curve_order.place,
        count(*) as records
    from "sqlanon_curve_order" as curve_order
    group by curve_order.q2, curve_order.place
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
        curve_order.q1,
        curve_order.q2,
        curve_order.q3,
        curve_order.s1,
        curve_order.k1,
        curve_order.place,
        begun.total,
        begun.start + row_number() over (
            partition by curve_order.q2, curve_order.place
            order by
                curve_order.q1,
                curve_order.q2,
                curve_order.q3,
                curve_order.turn,
                curve_order.s1,
                curve_order.k1
        ) - 1 as position
    from "sqlanon_curve_order" as curve_order
    inner join begun
        on
            curve_order.place = begun.place
            and curve_order.q2 = begun.q2
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
