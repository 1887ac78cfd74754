-- relation: begun_level
-- grain: one row
-- inputs: open_parts
-- outputs: level, lost, gained, last_node
-- paper: none
-- Where a level of the tree begins: what all classes lose, how much the level before saved, and the
-- highest number that a node has.
select
    max(open_parts.level) as level,
    max(open_parts.lost) as lost,
    max(open_parts.gained) as gained,
    max(open_parts.node) as last_node
from "sqlanon_tree_left_in_1" as open_parts
