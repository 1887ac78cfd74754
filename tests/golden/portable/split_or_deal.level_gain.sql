-- relation: level_gain
-- grain: one row
-- inputs: best_cuts, node_losses
-- outputs: cuts, gain
-- paper: none
-- How many nodes are cut at a level, and the loss that it saves.
select
    count(*) as cuts,
    cast(coalesce(sum(node_losses.loss - best_cuts.left_loss - best_cuts.right_loss), 0) as bigint) as gain
from "sqlanon_tree_best" as best_cuts
inner join "sqlanon_tree_node_losses" as node_losses
    on best_cuts.node = node_losses.node
