-- relation: gathered
-- grain: one row per row of a piece
-- inputs: piece_*
-- outputs: *
-- paper: none
-- What was done in every turn of a loop.
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_1" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_2" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_3" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_4" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_5" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_6" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_7" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_8" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_9" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_10" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_11" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_12" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_13" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_14" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_15" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_16" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_17" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_18" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_19" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_20" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_21" as piece
union all
select
    piece.region,
    piece.cell_id,
    piece.class_id,
    piece.records,
    piece.classes,
    piece.refused
from "sqlanon_carve_done_in_22" as piece
