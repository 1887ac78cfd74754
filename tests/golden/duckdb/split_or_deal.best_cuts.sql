-- relation: best_cuts
-- grain: one row per open node with an allowed cut
-- inputs: cut_losses
-- outputs: node, attribute, dealt, place, position, records, left_loss, right_loss, left_node, right_node
-- paper: sqlanon, Split-or-Deal §4
-- The cheapest allowed cut of every node, and the numbers of the two nodes it makes.
with placed as (
    select
        cut_losses.node,
        cut_losses.attribute,
        cut_losses.dealt,
        cut_losses.place,
        cut_losses.position,
        cut_losses.records,
        cut_losses.left_loss,
        cut_losses.right_loss,
        row_number() over (
            partition by cut_losses.node
            order by
                cut_losses.left_loss + cut_losses.right_loss,
                cut_losses.dealt,
                cut_losses.attribute,
                cut_losses.place
        ) as choice
    from "sqlanon_tree_losses" as cut_losses
)

select
    placed.node,
    placed.attribute,
    placed.dealt,
    placed.place,
    placed.position,
    placed.records,
    placed.left_loss,
    placed.right_loss,
    174 + 2 * row_number() over (order by placed.node) as left_node,
    175 + 2 * row_number() over (order by placed.node) as right_node
from placed
where placed.choice = 1
