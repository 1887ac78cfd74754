-- relation: check_cells
-- grain: no row
-- inputs: matrix
-- outputs: cells
-- paper: none
-- The search for fragments is done over the matrix's cells, one by one.
with counted as (
    select count(*) as cells
    from "sqlanon_matrix"
)

select counted.cells
from counted
where counted.cells > 20000
