-- relation: allowed_cuts
-- grain: one row per node to be dealt out and quasi-identifier
-- inputs: cut_positions
-- outputs: node, attribute, dealt, place, position, records
-- paper: sqlanon, Split-or-Deal §5
-- Cuts that deal a node out need no test: they keep the bounds of Stack & Deal.
select
    cut_positions.node,
    cut_positions.attribute,
    1 as dealt,
    1 as place,
    cut_positions.cut_1 as position,
    cut_positions.records
from "sqlanon_tree_positions" as cut_positions
