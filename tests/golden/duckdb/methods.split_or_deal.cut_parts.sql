-- relation: cut_parts
-- grain: one row per cell and new node that holds records of it
-- inputs: ranked_parts, block_cuts?, best_cuts
-- outputs: node, node_loss, root, cell_id, records, stratum, q*|s*
-- paper: sqlanon, Split-or-Deal §4
-- The parts of the nodes that are cut, on the two sides of the cut.
with shares as (
    select
        best_cuts.left_node,
        best_cuts.right_node,
        best_cuts.left_loss,
        best_cuts.right_loss,
        ranked_parts.root,
        ranked_parts.cell_id,
        ranked_parts.records,
        ranked_parts.stratum,
        ranked_parts.q1,
        ranked_parts.q2,
        ranked_parts.q3,
        ranked_parts.s1,
        case best_cuts.dealt
            when 0 then best_cuts.position - ranked_parts.before
            else case best_cuts.place
                when 1 then block_cuts.cut_1
                when 2 then block_cuts.cut_2
                when 3 then block_cuts.cut_3
                when 4 then block_cuts.cut_4
                when 5 then block_cuts.cut_5
                when 6 then block_cuts.cut_6
                when 7 then block_cuts.cut_7
                when 8 then block_cuts.cut_8
            end - ranked_parts.block_before
        end as room
    from "sqlanon_tree_ranked" as ranked_parts
    inner join "sqlanon_tree_best" as best_cuts
        on ranked_parts.node = best_cuts.node and ranked_parts.attribute = best_cuts.attribute
    inner join "sqlanon_tree_blocks" as block_cuts
        on
            ranked_parts.node = block_cuts.node
            and ranked_parts.attribute = block_cuts.attribute
            and ranked_parts.stratum = block_cuts.stratum
)

select
    shares.left_node as node,
    shares.left_loss as node_loss,
    shares.root,
    shares.cell_id,
    case when shares.room < shares.records then shares.room else shares.records end as records,
    shares.stratum,
    shares.q1,
    shares.q2,
    shares.q3,
    shares.s1
from shares
where shares.room > 0
union all
select
    shares.right_node as node,
    shares.right_loss as node_loss,
    shares.root,
    shares.cell_id,
    case when shares.room > 0 then shares.records - shares.room else shares.records end as records,
    shares.stratum,
    shares.q1,
    shares.q2,
    shares.q3,
    shares.s1
from shares
where shares.room < shares.records
