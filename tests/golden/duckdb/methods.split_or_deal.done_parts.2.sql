-- relation: done_parts
-- grain: one row per cell and new class that holds records of it
-- inputs: open_parts, best_cuts, cut_parts?, ended_level?
-- outputs: node, root, cell_id, records, level
-- paper: none
-- A node without an allowed cut is a class; after the last level, so are the new nodes.
select
    open_parts.node,
    open_parts.root,
    open_parts.cell_id,
    open_parts.records,
    open_parts.level
from "sqlanon_tree_left_in_1" as open_parts
left join "sqlanon_tree_best" as best_cuts
    on open_parts.node = best_cuts.node
where best_cuts.node is null
union all
select
    cut_parts.node,
    cut_parts.root,
    cut_parts.cell_id,
    cut_parts.records,
    ended_level.level
from "sqlanon_tree_cut" as cut_parts
inner join "sqlanon_tree_ended" as ended_level
    on ended_level.is_last = 1
