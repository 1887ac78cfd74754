-- relation: total_loss
-- grain: one row
-- inputs: class_losses
-- outputs: classes, loss, largest
-- paper: none
-- How many classes there are, what they lose together, and the records of the largest.
select
    count(*) as classes,
    cast(coalesce(sum(class_losses.loss), 0) as bigint) as loss,
    cast(coalesce(max(class_losses.records), 0) as bigint) as largest
from "sqlanon_tree_class_losses" as class_losses
