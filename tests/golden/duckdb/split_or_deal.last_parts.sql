-- relation: closed_parts
-- grain: one row per cell and new class that holds records of it
-- inputs: open_parts
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The nodes that are still open when the cutting ends are classes, too.
select
    open_parts.node as class_id,
    open_parts.root,
    open_parts.cell_id,
    open_parts.records
from "sqlanon_tree_open_1" as open_parts
