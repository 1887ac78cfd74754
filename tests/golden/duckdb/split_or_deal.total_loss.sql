-- relation: total_loss
-- grain: one row
-- inputs: class_losses
-- outputs: classes, loss
-- paper: none
-- How many classes there are, and what they lose together.
select
    count(*) as classes,
    cast(coalesce(sum(class_losses.loss), 0) as bigint) as loss
from "sqlanon_tree_class_losses" as class_losses
