-- relation: carved
-- grain: one row
-- inputs: done_cells
-- outputs: refused, regions
-- paper: none
-- Whether a class was refused for the sake of the remainder, and in how many regions something is left over.
select
    max(done_cells.refused) as refused,
    count(distinct case when done_cells.class_id >= done_cells.classes then done_cells.region end) as regions
from "sqlanon_carve_done" as done_cells
