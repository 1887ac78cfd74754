-- relation: node_losses
-- grain: one row per root
-- inputs: class_losses
-- outputs: node, loss
-- paper: none
-- What the classes to be cut lose as they are.
select
    class_losses.class_id as node,
    class_losses.loss
from "sqlanon_tree_class_losses" as class_losses
