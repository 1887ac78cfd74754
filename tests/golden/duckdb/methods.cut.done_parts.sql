select
    open_parts.node,
    open_parts.root,
    open_parts.cell_id,
    open_parts.records,
    open_parts.level
from "sqlanon_tree_first" as open_parts
left join "sqlanon_tree_best" as best_cuts
    on open_parts.node = best_cuts.node
where best_cuts.node is null
