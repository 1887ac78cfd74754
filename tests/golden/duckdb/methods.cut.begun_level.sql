select
    max(open_parts.level) as level,
    max(open_parts.lost) as lost,
    max(open_parts.gained) as gained,
    max(open_parts.node) as last_node
from "sqlanon_tree_first" as open_parts
