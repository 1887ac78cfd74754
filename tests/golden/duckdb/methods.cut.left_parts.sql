select
    ended_level.level,
    ended_level.lost,
    ended_level.gained,
    cut_parts.node,
    cut_parts.node_loss,
    cut_parts.root,
    cut_parts.cell_id,
    cut_parts.records,
    cut_parts.stratum,
    cut_parts.q1
from "sqlanon_tree_cut" as cut_parts
inner join "sqlanon_tree_ended" as ended_level
    on ended_level.is_last = 0
