-- relation: formed
-- grain: one row per cell and class that holds records of it
-- inputs: shares, cells
-- outputs: class_id, s*|b*, records
-- paper: none
-- The classes with what models are held to.
select
    shares.class_id,
    cells.s1,
    shares.records
from "sqlanon_micro_swapped_1" as shares
inner join "sqlanon_cells" as cells
    on shares.cell_id = cells.cell_id
