-- relation: begun
-- grain: one row
-- inputs: open_cells
-- outputs: turn, classes, refused, records
-- paper: none
-- Where a turn of carving begins: how many classes there are, whether one was refused for the sake of
-- the remainder, and how many records are open.
select
    max(open_cells.turn) as turn,
    max(open_cells.classes) as classes,
    max(open_cells.refused) as refused,
    cast(sum(open_cells.records) as bigint) as records
from "sqlanon_carve_left_in_1" as open_cells
