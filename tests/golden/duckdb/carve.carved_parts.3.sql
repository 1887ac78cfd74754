-- relation: carved_parts
-- grain: one row per cell and class that holds records of it
-- inputs: piece_*
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The carved classes of every band, and what is left over.
select
    piece_1.class_id,
    cast(0 as bigint) as root,
    piece_1.cell_id,
    piece_1.records
from "sqlanon_carve_taken_0" as piece_1
union all
select
    piece_2.class_id,
    cast(0 as bigint) as root,
    piece_2.cell_id,
    piece_2.records
from "sqlanon_carve_taken_1" as piece_2
union all
select
    piece_3.class_id,
    cast(0 as bigint) as root,
    piece_3.cell_id,
    piece_3.records
from "sqlanon_carve_left_over" as piece_3
