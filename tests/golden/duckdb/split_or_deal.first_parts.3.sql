-- relation: open_parts
-- grain: one row per cell and node that holds records of it
-- inputs: parts, cells
-- outputs: node, root, cell_id, records, stratum, q*|s*
-- paper: none
-- The classes to be cut, each the root of a tree, with the codes of their cells.
select
    parts.class_id as node,
    parts.class_id as root,
    parts.cell_id,
    parts.records,
    cells.stratum,
    cells.q1,
    cells.q2,
    cells.q3,
    cells.s1
from "sqlanon_search_whole" as parts
inner join "sqlanon_search_cells" as cells
    on parts.cell_id = cells.cell_id
