-- relation: class_losses
-- grain: one row per class
-- inputs: parts, cells, scale_*
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
    from "sqlanon_search_tried_0" as parts
    inner join "sqlanon_search_cells" as cells
        on parts.cell_id = cells.cell_id
    group by parts.class_id, parts.root
)

select
    boxes.class_id,
    boxes.root,
    boxes.records,
    boxes.records * (
        case
            when low_q1.code = high_q1.code then 0
            when low_q1.code = 0 then 333333333
            else high_q1.axis - low_q1.axis
        end
        + case
            when low_q2.node_0 = high_q2.node_0 then low_q2.loss_0
            when low_q2.node_1 = high_q2.node_1 then low_q2.loss_1
            when low_q2.node_2 = high_q2.node_2 then low_q2.loss_2
        end
        + case
            when low_q3.code = high_q3.code then 0
            when low_q3.code = 0 then 333333333
            else high_q3.axis - low_q3.axis
        end
    ) as loss
from boxes
inner join "sqlanon_scale_q1" as low_q1
    on boxes.low_q1 = low_q1.code
inner join "sqlanon_scale_q1" as high_q1
    on boxes.high_q1 = high_q1.code
inner join "sqlanon_scale_q2" as low_q2
    on boxes.low_q2 = low_q2.code
inner join "sqlanon_scale_q2" as high_q2
    on boxes.high_q2 = high_q2.code
inner join "sqlanon_scale_q3" as low_q3
    on boxes.low_q3 = low_q3.code
inner join "sqlanon_scale_q3" as high_q3
    on boxes.high_q3 = high_q3.code
