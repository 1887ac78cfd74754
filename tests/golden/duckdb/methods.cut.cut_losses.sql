with wanted as (
    select distinct
        allowed_cuts.node,
        allowed_cuts.attribute,
        allowed_cuts.dealt
    from "sqlanon_tree_allowed" as allowed_cuts
),

spans as (
    select
        ranked_parts.node,
        ranked_parts.attribute,
        wanted.dealt,
        case
            when ranked_parts.before < cut_positions.cut_1 then 1
            else 2
        end as first_left,
        case
            when ranked_parts.before + ranked_parts.records > cut_positions.cut_1 then 1
            else 0
        end as last_right,
        ranked_parts.q1,
        ranked_parts.q2,
        ranked_parts.q3
    from "sqlanon_tree_ranked" as ranked_parts
    inner join wanted
        on ranked_parts.node = wanted.node and ranked_parts.attribute = wanted.attribute and wanted.dealt = 0
    inner join "sqlanon_tree_positions" as cut_positions
        on ranked_parts.node = cut_positions.node and ranked_parts.attribute = cut_positions.attribute
    union all
    select
        ranked_parts.node,
        ranked_parts.attribute,
        wanted.dealt,
        case
            when ranked_parts.block_before < block_cuts.cut_1 then 1
            else 2
        end as first_left,
        case
            when ranked_parts.block_before + ranked_parts.records > block_cuts.cut_1 then 1
            else 0
        end as last_right,
        ranked_parts.q1,
        ranked_parts.q2,
        ranked_parts.q3
    from "sqlanon_tree_ranked" as ranked_parts
    inner join wanted
        on ranked_parts.node = wanted.node and ranked_parts.attribute = wanted.attribute and wanted.dealt = 1
    inner join "sqlanon_tree_blocks" as block_cuts
        on
            ranked_parts.node = block_cuts.node
            and ranked_parts.attribute = block_cuts.attribute
            and ranked_parts.stratum = block_cuts.stratum
),

-- Parts alike in where they lie, and then the box of the parts that enter a side at a place.
stretches as (
    select
        spans.node,
        spans.attribute,
        spans.dealt,
        spans.first_left,
        spans.last_right,
        min(spans.q1) as low_q1,
        max(spans.q1) as high_q1,
        min(spans.q2) as low_q2,
        max(spans.q2) as high_q2,
        min(spans.q3) as low_q3,
        max(spans.q3) as high_q3
    from spans
    group by spans.node, spans.attribute, spans.dealt, spans.first_left, spans.last_right
),

pieces as (
    select
        stretches.node,
        stretches.attribute,
        stretches.dealt,
        1 as is_left,
        stretches.first_left as cut,
        min(stretches.low_q1) as low_q1,
        max(stretches.high_q1) as high_q1,
        min(stretches.low_q2) as low_q2,
        max(stretches.high_q2) as high_q2,
        min(stretches.low_q3) as low_q3,
        max(stretches.high_q3) as high_q3
    from stretches
    group by stretches.node, stretches.attribute, stretches.dealt, stretches.first_left
    union all
    select
        stretches.node,
        stretches.attribute,
        stretches.dealt,
        0 as is_left,
        stretches.last_right as cut,
        min(stretches.low_q1) as low_q1,
        max(stretches.high_q1) as high_q1,
        min(stretches.low_q2) as low_q2,
        max(stretches.high_q2) as high_q2,
        min(stretches.low_q3) as low_q3,
        max(stretches.high_q3) as high_q3
    from stretches
    group by stretches.node, stretches.attribute, stretches.dealt, stretches.last_right
),

boxes as (
    select
        allowed_cuts.node,
        allowed_cuts.attribute,
        allowed_cuts.dealt,
        allowed_cuts.cut,
        allowed_cuts.position,
        allowed_cuts.records,
        pieces.is_left,
        min(pieces.low_q1) as low_q1,
        max(pieces.high_q1) as high_q1,
        min(pieces.low_q2) as low_q2,
        max(pieces.high_q2) as high_q2,
        min(pieces.low_q3) as low_q3,
        max(pieces.high_q3) as high_q3
    from "sqlanon_tree_allowed" as allowed_cuts
    inner join pieces
        on
            allowed_cuts.node = pieces.node
            and allowed_cuts.attribute = pieces.attribute
            and allowed_cuts.dealt = pieces.dealt
    where
        case
            when pieces.is_left = 1 then pieces.cut <= allowed_cuts.cut
            else pieces.cut >= allowed_cuts.cut
        end
    group by
        allowed_cuts.node,
        allowed_cuts.attribute,
        allowed_cuts.dealt,
        allowed_cuts.cut,
        allowed_cuts.position,
        allowed_cuts.records,
        pieces.is_left
),

ends as (
    select
        boxes.node,
        boxes.attribute,
        boxes.dealt,
        boxes.cut,
        boxes.position,
        boxes.records,
        boxes.is_left,
        case listed.scale
            when 1 then cast(boxes.low_q1 as bigint) * 3 + 0
            when 2 then cast(boxes.low_q2 as bigint) * 3 + 1
            when 3 then cast(boxes.low_q3 as bigint) * 3 + 2
        end as low,
        case listed.scale
            when 1 then cast(boxes.high_q1 as bigint) * 3 + 0
            when 2 then cast(boxes.high_q2 as bigint) * 3 + 1
            when 3 then cast(boxes.high_q3 as bigint) * 3 + 2
        end as high
    from boxes
    cross join (
        values (1), (2), (3)
    ) as listed (scale)
),

box_losses as (
    select
        ends.node,
        ends.attribute,
        ends.dealt,
        ends.cut,
        ends.position,
        ends.records,
        ends.is_left,
        case
            when low.node_0 = high.node_0 then low.loss_0
            when low.node_1 = high.node_1 then low.loss_1
            when low.node_2 = high.node_2 then low.loss_2
            else coalesce(high.axis - low.axis, low.units)
        end as loss
    from ends
    inner join "sqlanon_box_scales" as low
        on ends.low = low.scale_code
    inner join "sqlanon_box_scales" as high
        on ends.high = high.scale_code
),

side_losses as (
    select
        box_losses.node,
        box_losses.attribute,
        box_losses.dealt,
        box_losses.cut,
        box_losses.position,
        box_losses.records,
        case when box_losses.is_left = 1 then box_losses.position * box_losses.loss else 0 end as left_loss,
        case
            when box_losses.is_left = 0 then (box_losses.records - box_losses.position) * box_losses.loss
            else 0
        end as right_loss
    from box_losses
)

select
    side_losses.node,
    side_losses.attribute,
    side_losses.dealt,
    side_losses.cut,
    side_losses.position,
    side_losses.records,
    cast(sum(side_losses.left_loss) as bigint) as left_loss,
    cast(sum(side_losses.right_loss) as bigint) as right_loss
from side_losses
group by
    side_losses.node,
    side_losses.attribute,
    side_losses.dealt,
    side_losses.cut,
    side_losses.position,
    side_losses.records
