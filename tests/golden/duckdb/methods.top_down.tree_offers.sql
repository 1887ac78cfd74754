-- relation: tree_offers
-- grain: one row per code
-- inputs: cut, tree
-- outputs: code, node, split, to_node, to_level, to_loss, gain
-- paper: Fung, Wang & Yu 2005, §3
-- Every node of the cut that can be specialized: the node of the next level that each of its codes would
-- be published as, and what a record gains by it.
select
    cut.code,
    cut.node,
    tree.next_level as split,
    lower.node as to_node,
    lower.level as to_level,
    lower.loss as to_loss,
    cut.loss - lower.loss as gain
from "sqlanon_top_down_cut_q1_first" as cut
inner join "sqlanon_top_down_tree_q1" as tree
    on cut.code = tree.code and cut.level = tree.level
inner join "sqlanon_top_down_tree_q1" as lower
    on tree.code = lower.code and tree.next_level = lower.level
