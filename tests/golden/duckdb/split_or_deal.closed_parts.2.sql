-- relation: closed_parts
-- grain: one row per cell and new class that holds records of it
-- inputs: open_parts, best_cuts
-- outputs: class_id, root, cell_id, records
-- paper: none
-- A node without an allowed cut is a class.
select
    open_parts.node as class_id,
    open_parts.root,
    open_parts.cell_id,
    open_parts.records
from "sqlanon_open_0" as open_parts
left join "sqlanon_cut_chosen" as best_cuts
    on open_parts.node = best_cuts.node
where best_cuts.node is null
