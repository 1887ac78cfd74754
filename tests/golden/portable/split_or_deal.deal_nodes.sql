-- relation: deal_nodes
-- grain: one row per new node
-- inputs: cut_positions, best_cuts
-- outputs: node, classes
-- paper: sqlanon, Split-or-Deal §5
-- How many classes each side of a cut is to be dealt out to.
select
    best_cuts.left_node as node,
    cut_positions.left_classes as classes
from "sqlanon_tree_best" as best_cuts
inner join "sqlanon_tree_positions" as cut_positions
    on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
union all
select
    best_cuts.right_node as node,
    cut_positions.classes - cut_positions.left_classes as classes
from "sqlanon_tree_best" as best_cuts
inner join "sqlanon_tree_positions" as cut_positions
    on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
