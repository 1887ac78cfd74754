-- relation: striped
-- grain: one row per record
-- inputs: curve_places
-- outputs: q*, s*, x*|k*, place, stripe
-- paper: none
-- One stripe that holds all records.
select
    curve_places.q1,
    curve_places.q2,
    curve_places.q3,
    curve_places.s1,
    curve_places.k1,
    curve_places.place,
    0 as stripe
from "sqlanon_curve_places" as curve_places
