-- relation: lined
-- grain: one row per record
-- inputs: along
-- outputs: q*, s*, x*|k*, place, turn
-- paper: sqlanon, striped Stack & Deal
-- Records alike in every quasi-identifier take turns by their sensitive values: a border of two
-- stripes that falls among them falls the same in every run and leaves both of its sides their
-- share of every value.
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
