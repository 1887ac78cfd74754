-- relation: tree_cut
-- grain: one row per code
-- inputs: tree
-- outputs: code, records, level, node, loss, position
-- paper: Fung, Wang & Yu 2005, §3
-- The first cut through a hierarchy: its root, over all codes.
select
    tree.code,
    tree.records,
    tree.level,
    tree.node,
    tree.loss,
    cast(null as double) as position
from "sqlanon_top_down_tree_q1" as tree
where tree.level = 1
