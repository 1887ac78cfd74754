-- relation: shown
-- grain: one row per combination of quasi-identifiers in the data
-- inputs: cells
-- outputs: tuple_id, q*, records, failed
-- paper: none
-- To begin with every tuple shows its codes as they are; -1 will stand for a suppressed cell.
select
    min(cells.cell_id) as tuple_id,
    cells.q1,
    cells.q1 as q1_shown,
    cells.q2,
    cells.q2 as q2_shown,
    cells.q3,
    cells.q3 as q3_shown,
    cast(sum(cells.records) as bigint) as records,
    cast(null as integer) as failed
from "sqlanon_cells" as cells
group by
    cells.q1,
    cells.q2,
    cells.q3
