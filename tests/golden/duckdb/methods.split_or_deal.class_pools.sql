with centres as (
    select
        parts.class_id,
        floor(
            cast(sum(parts.records * scale_q1.spread) as double) / class_losses.records
        ) as rank_q1,
        floor(
            cast(sum(parts.records * scale_q2.spread) as double) / class_losses.records
        ) as rank_q2,
        class_losses.loss
    from "sqlanon_search_tried_0" as parts
    inner join "sqlanon_refine_losses" as class_losses
        on parts.class_id = class_losses.class_id
    inner join "sqlanon_search_cells" as cells
        on parts.cell_id = cells.cell_id
    inner join "sqlanon_scale_q1" as scale_q1
        on cells.q1 = scale_q1.code
    inner join "sqlanon_scale_q2" as scale_q2
        on cells.q2 = scale_q2.code
    where class_losses.loss > 0
    group by parts.class_id, class_losses.loss, class_losses.records
),

curved as (
    select
        centres.class_id,
        centres.loss,
        (
            floor((centres.rank_q1 + 0) / 64)
            - 2 * floor((centres.rank_q1 + 0) / 128)
        ) * 1
        + (
            floor((centres.rank_q1 + 0) / 128)
            - 2 * floor((centres.rank_q1 + 0) / 256)
        ) * 4
        + (
            floor((centres.rank_q1 + 0) / 256)
            - 2 * floor((centres.rank_q1 + 0) / 512)
        ) * 16
        + (
            floor((centres.rank_q1 + 0) / 512)
            - 2 * floor((centres.rank_q1 + 0) / 1024)
        ) * 64
        + (
            floor((centres.rank_q1 + 0) / 1024)
            - 2 * floor((centres.rank_q1 + 0) / 2048)
        ) * 256
        + (
            floor((centres.rank_q2 + 0) / 64)
            - 2 * floor((centres.rank_q2 + 0) / 128)
        ) * 2
        + (
            floor((centres.rank_q2 + 0) / 128)
            - 2 * floor((centres.rank_q2 + 0) / 256)
        ) * 8
        + (
            floor((centres.rank_q2 + 0) / 256)
            - 2 * floor((centres.rank_q2 + 0) / 512)
        ) * 32
        + (
            floor((centres.rank_q2 + 0) / 512)
            - 2 * floor((centres.rank_q2 + 0) / 1024)
        ) * 128
        + (
            floor((centres.rank_q2 + 0) / 1024)
            - 2 * floor((centres.rank_q2 + 0) / 2048)
        ) * 512 as curve
    from centres
),

numbered as (
    select
        curved.class_id,
        curved.loss,
        row_number() over (order by curved.curve, curved.class_id) - 1 + 0 as place
    from curved
)


select
    numbered.class_id,
    cast((numbered.place - numbered.place % 8) / 8 as bigint) as pool,
    numbered.loss
from numbered
