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
