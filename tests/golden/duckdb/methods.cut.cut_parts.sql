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
        best_cuts.position - ranked_parts.before as room
    from "sqlanon_tree_ranked" as ranked_parts
    inner join "sqlanon_tree_best" as best_cuts
        on ranked_parts.node = best_cuts.node and ranked_parts.attribute = best_cuts.attribute
)

select
    shares.left_node as node,
    shares.left_loss as node_loss,
    shares.root,
    shares.cell_id,
    case when shares.room < shares.records then shares.room else shares.records end as records,
    shares.stratum,
    shares.q1
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
    shares.q1
from shares
where shares.room < shares.records
