-- relation: ended_level
-- grain: one row
-- inputs: open_parts, begun_level, best_cuts
-- outputs: level, lost, gained, is_last
-- paper: none
-- Where a level of the tree ends: what all classes lose by then, and how much the level saved. It is the
-- last one if it saved too little, after the first levels; or if the tree is not going to be better
-- than what is known: even if some levels more saved as much each as the last two on average, and if
-- what levels save went on to fall as it just fell.
with node_losses as (
    select
        open_parts.node,
        min(open_parts.node_loss) as loss
    from "sqlanon_tree_left_in_1" as open_parts
    group by open_parts.node
),

saved as (
    select cast(coalesce(sum(node_losses.loss - best_cuts.left_loss - best_cuts.right_loss), 0) as bigint) as loss
    from "sqlanon_tree_best" as best_cuts
    inner join node_losses
        on best_cuts.node = node_losses.node
)

select
    begun_level.level + 1 as level,
    begun_level.lost - saved.loss as lost,
    saved.loss as gained,
    case
        when begun_level.level >= 60 then 1
        when begun_level.level < 4 then 0
        when
            cast(saved.loss as decimal(38, 0)) * 10000
            < cast(begun_level.lost - saved.loss as decimal(38, 0)) * 1
            then 1
        else 0
    end as is_last
from "sqlanon_tree_begun" as begun_level
cross join saved
