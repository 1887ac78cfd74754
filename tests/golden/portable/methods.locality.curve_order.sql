with numbered as (
    select
        curve_places.q1,
        curve_places.q2,
        curve_places.q3,
        curve_places.s1,
        curve_places.k1,
        curve_places.place,
        row_number() over (
            partition by curve_places.q1, curve_places.q2, curve_places.q3, curve_places.s1
            order by curve_places.k1
        ) as number,
        count(*) over (
            partition by curve_places.q1, curve_places.q2, curve_places.q3, curve_places.s1
        ) as numbers
    from "sqlanon_curve_places" as curve_places
)

select
    numbered.q1,
    numbered.q2,
    numbered.q3,
    numbered.s1,
    numbered.k1,
    numbered.place,
    cast(2 * numbered.number - 1 as double) / numbered.numbers as turn
from numbered
