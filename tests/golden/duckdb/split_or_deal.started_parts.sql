-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: piece_*
-- outputs: class_id, root, cell_id, records
-- paper: none
-- Several starts side by side, each with all records. The number of a class, and of what is made of it
-- the root, tells the start: it is what remains when it is divided by how many starts there are.
select
    piece_1.class_id * 4 + 0 as class_id,
    piece_1.class_id * 4 + 0 as root,
    piece_1.cell_id,
    piece_1.records
from "sqlanon_carve_parts_0" as piece_1
union all
select
    piece_2.class_id * 4 + 1 as class_id,
    piece_2.class_id * 4 + 1 as root,
    piece_2.cell_id,
    piece_2.records
from "sqlanon_carve_parts_1" as piece_2
union all
select
    piece_3.class_id * 4 + 2 as class_id,
    piece_3.class_id * 4 + 2 as root,
    piece_3.cell_id,
    piece_3.records
from "sqlanon_search_whole" as piece_3
union all
select
    piece_4.class_id * 4 + 3 as class_id,
    piece_4.class_id * 4 + 3 as root,
    piece_4.cell_id,
    piece_4.records
from "sqlanon_search_whole" as piece_4
