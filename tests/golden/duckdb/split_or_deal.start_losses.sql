-- relation: start_losses
-- grain: one row per start
-- inputs: class_losses
-- outputs: start_id, loss
-- paper: none
-- What the classes of every start lose together.
select
    class_losses.root % 4 as start_id,
    cast(sum(class_losses.loss) as bigint) as loss
from "sqlanon_tree_class_losses" as class_losses
group by class_losses.root % 4
