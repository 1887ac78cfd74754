select
    cast(curve_places.q1 as integer) as q1,
    cast(curve_places.q2 as integer) as q2,
    cast(curve_places.q3 as integer) as q3,
    cast(curve_places.s1 as integer) as s1,
    curve_places.k1,
    cast(curve_places.place as integer) as place
from "sqlanon_curve_places" as curve_places
order by
    curve_places.q2,
    curve_places.place,
    curve_places.q1,
    curve_places.q2,
    curve_places.q3,
    curve_places.s1,
    curve_places.k1
