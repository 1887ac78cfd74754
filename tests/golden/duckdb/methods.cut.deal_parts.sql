with shares as (
    select
        best_cuts.left_node as node,
        cut_positions.left_classes as classes
    from "sqlanon_tree_best" as best_cuts
    inner join "sqlanon_tree_positions" as cut_positions
        on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
    union all
    select
        best_cuts.right_node as node,
        cut_positions.classes - cut_positions.left_classes as classes
    from "sqlanon_tree_best" as best_cuts
    inner join "sqlanon_tree_positions" as cut_positions
        on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
)

select
    begun_level.level + 1 as level,
    begun_level.lost,
    begun_level.gained,
    cut_parts.node,
    cut_parts.node_loss,
    cut_parts.root,
    cut_parts.cell_id,
    cut_parts.records,
    cut_parts.stratum,
    shares.classes,
    cut_parts.q1,
    cut_parts.q2,
    cut_parts.q3,
    cut_parts.s1
from "sqlanon_tree_cut" as cut_parts
inner join shares
    on cut_parts.node = shares.node
cross join "sqlanon_tree_begun" as begun_level
