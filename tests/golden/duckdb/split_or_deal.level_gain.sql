-- relation: level_gain
-- grain: one row
-- inputs: best_cuts, node_losses
-- outputs: cuts, gain, largest
-- paper: none
-- How many nodes are cut at a level, the loss that it saves, and the records of the largest node made.
select
    count(*) as cuts,
    cast(coalesce(sum(node_losses.loss - best_cuts.left_loss - best_cuts.right_loss), 0) as bigint) as gain,
    cast(
        coalesce(
            max(
                case
                    when 2 * best_cuts.position > best_cuts.records then best_cuts.position
                    else best_cuts.records - best_cuts.position
                end
            ),
            0
        ) as bigint
    ) as largest
from "sqlanon_tree_best" as best_cuts
inner join "sqlanon_tree_node_losses" as node_losses
    on best_cuts.node = node_losses.node
