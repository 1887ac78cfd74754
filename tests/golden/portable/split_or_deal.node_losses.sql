-- relation: node_losses
-- grain: one row per new node
-- inputs: best_cuts
-- outputs: node, loss
-- paper: none
-- What the two sides of the chosen cuts lose.
select
    best_cuts.left_node as node,
    best_cuts.left_loss as loss
from "sqlanon_tree_best" as best_cuts
union all
select
    best_cuts.right_node as node,
    best_cuts.right_loss as loss
from "sqlanon_tree_best" as best_cuts
