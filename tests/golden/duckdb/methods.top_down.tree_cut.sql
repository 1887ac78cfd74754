select
    tree.code,
    tree.records,
    tree.level,
    tree.node,
    tree.loss,
    cast(null as double) as position
from "sqlanon_top_down_tree_q1" as tree
where tree.level = 1
