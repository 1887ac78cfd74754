select
    open_parts.node,
    min(open_parts.classes) as classes
from "sqlanon_tree_first" as open_parts
group by open_parts.node
