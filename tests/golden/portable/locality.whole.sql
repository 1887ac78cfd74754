-- relation: striped
-- grain: one row per record
-- inputs: along
-- outputs: q*, s*, x*|k*, place, stripe
-- paper: none
-- One stripe that holds all records.
select
    along.q1,
    along.q2,
    along.q3,
    along.s1,
    along.k1,
    along.place,
    0 as stripe
from "sqlanon_along" as along
