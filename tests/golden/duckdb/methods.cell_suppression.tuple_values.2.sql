-- relation: tuple_values
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: cells, shown
-- outputs: tuple_id, s*|b*, records
-- paper: none
-- Which sensitive values the records of a tuple have.
select
    shown.tuple_id,
    cells.s1,
    cells.records
from "sqlanon_cells" as cells
inner join "sqlanon_cells_shown" as shown
    on
        cells.q1 = shown.q1
