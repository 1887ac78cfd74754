-- relation: open_parts
-- grain: one row per cell and new node that holds records of it
-- inputs: cut_parts, ended_level
-- outputs: level, lost, gained, node, node_loss, root, cell_id, records, stratum, q*|s*
-- paper: none
-- The new nodes, for the next level; none after the last one.
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
    cut_parts.q1,
    cut_parts.q2,
    cut_parts.q3,
    cut_parts.q4,
    cut_parts.q5,
    cut_parts.q6,
    cut_parts.q7,
    cut_parts.s1,
    cut_parts.s2,
    cut_parts.s3
from "sqlanon_tree_cut" as cut_parts
inner join "sqlanon_tree_ended" as ended_level
    on ended_level.is_last = 0
