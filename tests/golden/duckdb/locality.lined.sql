-- relation: lined
-- grain: one row per record
-- inputs: along
-- outputs: q*, s*, x*|k*, place
-- paper: sqlanon, striped Stack & Deal
-- The records in the order of the curve. DuckDB keeps the order in which a table is written, so a
-- record's position along the curve is its row number: one sort, no window.
select
    cast(along.q1 as integer) as q1,
    cast(along.q2 as integer) as q2,
    cast(along.q3 as integer) as q3,
    cast(along.s1 as integer) as s1,
    along.k1,
    cast(along.place as integer) as place
from "sqlanon_along" as along
order by
    along.q2,
    along.place,
    along.q1,
    along.q2,
    along.q3,
    along.s1,
    along.k1
