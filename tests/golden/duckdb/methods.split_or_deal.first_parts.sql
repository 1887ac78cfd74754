-- relation: open_parts
-- grain: one row per cell and node that holds records of it
-- inputs: parts, cells, class_losses?
-- outputs: level, lost, gained, node, node_loss, root, cell_id, records, stratum, classes*, q*|s*
-- paper: none
-- The classes to be cut, each the root of a tree, with the codes of their cells; and what they lose,
-- each and together, or 0 where it decides nothing. A table that is dealt out is one of them, with the
-- number of its classes.
with together as (
    select cast(coalesce(sum(class_losses.loss), 0) as bigint) as loss
    from "sqlanon_tree_class_losses" as class_losses
)

select
    cast(1 as bigint) as level,
    together.loss as lost,
    cast(0 as bigint) as gained,
    parts.class_id as node,
    class_losses.loss as node_loss,
    parts.class_id as root,
    parts.cell_id,
    parts.records,
    cells.stratum,
    cells.q1,
    cells.q2,
    cells.q3,
    cells.s1
from "sqlanon_carve_parts" as parts
inner join "sqlanon_search_cells" as cells
    on parts.cell_id = cells.cell_id
inner join "sqlanon_tree_class_losses" as class_losses
    on parts.class_id = class_losses.class_id
cross join together
