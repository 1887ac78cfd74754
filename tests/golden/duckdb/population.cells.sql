-- relation: cells
-- grain: one row per tuple of the source or the population and sensitive values in the data
-- inputs: cells, tuples
-- outputs: q*, s*|b*, records, people
-- paper: none
-- The combinations of the source with how many records have them, and below them those of the
-- population with how many persons have them.
select
    cells.q1,
    cells.q2,
    cells.q3,
    cells.s1,
    cells.records,
    0 as people
from "sqlanon_cells" as cells
union all
select
    tuples.q1,
    tuples.q2,
    tuples.q3,
    cast(null as bigint) as s1,
    0 as records,
    tuples.records as people
from "sqlanon_people_tuples" as tuples
