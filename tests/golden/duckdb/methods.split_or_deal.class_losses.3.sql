-- relation: class_losses
-- grain: one row per class
-- inputs: parts, cells, box_scales?
-- outputs: class_id, root, records, loss
-- paper: Xu et al. 2006, NCP; sqlanon, Split-or-Deal §4
-- What every class loses when it is published, in whole units times records.
with boxes as (
    select
        parts.class_id,
        parts.root,
        min(cells.q1) as low_q1,
        max(cells.q1) as high_q1,
        min(cells.q2) as low_q2,
        max(cells.q2) as high_q2,
        min(cells.q3) as low_q3,
        max(cells.q3) as high_q3,
        cast(sum(parts.records) as bigint) as records
    from "sqlanon_search_whole" as parts
    inner join "sqlanon_search_cells" as cells
        on parts.cell_id = cells.cell_id
    group by parts.class_id, parts.root
),

ends as (
    select
        boxes.class_id,
        case listed.scale
            when 1 then boxes.low_q1 * 3 + 0
            when 2 then boxes.low_q2 * 3 + 1
            when 3 then boxes.low_q3 * 3 + 2
        end as low,
        case listed.scale
            when 1 then boxes.high_q1 * 3 + 0
            when 2 then boxes.high_q2 * 3 + 1
            when 3 then boxes.high_q3 * 3 + 2
        end as high
    from boxes
    cross join (
        values (1), (2), (3)
    ) as listed (scale)
),

box_losses as (
    select
        ends.class_id,
        case
            when low.node_0 = high.node_0 then low.loss_0
            when low.node_1 = high.node_1 then low.loss_1
            when low.node_2 = high.node_2 then low.loss_2
            else coalesce(high.axis - low.axis, low.units)
        end as loss
    from ends
    inner join "sqlanon_box_scales" as low
        on ends.low = low.place
    inner join "sqlanon_box_scales" as high
        on ends.high = high.place
),

losses as (
    select
        box_losses.class_id,
        cast(sum(box_losses.loss) as bigint) as loss
    from box_losses
    group by box_losses.class_id
)

select
    boxes.class_id,
    boxes.root,
    boxes.records,
    boxes.records * (
        losses.loss
    ) as loss
from boxes
inner join losses
    on boxes.class_id = losses.class_id
