-- relation: deal_nodes
-- grain: one row per open node
-- inputs: open_parts
-- outputs: node, classes
-- paper: sqlanon, Split-or-Deal §5
-- To how many classes each node is to be dealt out.
select
    open_parts.node,
    min(open_parts.classes) as classes
from "sqlanon_tree_left_in_1" as open_parts
group by open_parts.node
