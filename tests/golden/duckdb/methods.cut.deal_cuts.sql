select
    cut_positions.node,
    cut_positions.attribute,
    1 as dealt,
    1 as cut,
    cut_positions.cut_1 as position,
    cut_positions.records
from "sqlanon_tree_positions" as cut_positions
