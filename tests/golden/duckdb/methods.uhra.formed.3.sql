-- relation: formed
-- grain: one row per cell and class that holds records of it
-- inputs: shares, cells
-- outputs: class_id, s*|b*, records
-- paper: none
-- The classes with what models are held to.
select
    shares.class_id,
    cells.s1,
    cells.s2,
    cells.b1,
    shares.records
from "sqlanon_uhra_refined_0" as shares
inner join "sqlanon_cells" as cells
    on shares.cell_id = cells.cell_id
