-- relation: curve_order
-- grain: one row per record
-- inputs: curve_places
-- outputs: q*, s*, x*|k*, place, turn
-- paper: sqlanon, striped Stack & Deal
-- Records alike in every quasi-identifier take turns by their sensitive values: a border of two
-- stripes that falls among them falls the same in every run and leaves both of its sides their
-- share of every value.
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
