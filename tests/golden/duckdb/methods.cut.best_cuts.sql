with placed as (
    select
        cut_losses.node,
        cut_losses.attribute,
        cut_losses.dealt,
        cut_losses.cut,
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
                cut_losses.cut
        ) as choice
    from "sqlanon_tree_close" as cut_losses
)

select
    placed.node,
    placed.attribute,
    placed.dealt,
    placed.cut,
    placed.position,
    placed.records,
    placed.left_loss,
    placed.right_loss,
    cast(begun_level.last_node - 1 + 2 * row_number() over (order by placed.node) as integer) as left_node,
    cast(begun_level.last_node + 2 * row_number() over (order by placed.node) as integer) as right_node
from placed
cross join "sqlanon_tree_begun" as begun_level
where placed.choice = 1
