-- relation: cut_losses
-- grain: one row per allowed cut
-- inputs: cut_losses
-- outputs: node, attribute, dealt, place, position, records, left_loss, right_loss
-- paper: none
-- The cuts of every node that lose least: of so many is measured what takes long to measure.
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
    placed.right_loss
from placed
where placed.choice <= 4
