-- relation: gathered
-- grain: one row per row of a piece
-- inputs: piece_*
-- outputs: *
-- paper: none
-- What was done in every turn of a loop.
select
    piece.node,
    piece.root,
    piece.cell_id,
    piece.records,
    piece.level
from "sqlanon_tree_done_in_1" as piece
union all
select
    piece.node,
    piece.root,
    piece.cell_id,
    piece.records,
    piece.level
from "sqlanon_tree_done_in_2" as piece
