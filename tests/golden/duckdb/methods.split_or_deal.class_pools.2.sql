-- relation: class_pools
-- grain: one row per class that loses something
-- inputs: parts, cells, class_losses, zones?, scale_*
-- outputs: class_id, pool, loss
-- paper: Morton 1966; sqlanon, Split-or-Deal §3
-- Neighbouring classes, some in a pool. Neighbours lie close on a curve that interleaves the bits of
-- their middle ranks (0 to 1000) in the quasi-identifiers; another order of these and another offset
-- make another curve.
with centres as (
    select
        parts.class_id,
        floor(
            cast(sum(parts.records * scale_q1.spread) as double) / class_losses.records
        ) as rank_q1,
        floor(
            cast(sum(parts.records * scale_q2.spread) as double) / class_losses.records
        ) as rank_q2,
        floor(
            cast(sum(parts.records * scale_q3.spread) as double) / class_losses.records
        ) as rank_q3,
        floor(
            cast(sum(parts.records * scale_q4.spread) as double) / class_losses.records
        ) as rank_q4,
        floor(
            cast(sum(parts.records * scale_q5.spread) as double) / class_losses.records
        ) as rank_q5,
        floor(
            cast(sum(parts.records * scale_q6.spread) as double) / class_losses.records
        ) as rank_q6,
        floor(
            cast(sum(parts.records * scale_q7.spread) as double) / class_losses.records
        ) as rank_q7,
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
    inner join "sqlanon_scale_q3" as scale_q3
        on cells.q3 = scale_q3.code
    inner join "sqlanon_scale_q4" as scale_q4
        on cells.q4 = scale_q4.code
    inner join "sqlanon_scale_q5" as scale_q5
        on cells.q5 = scale_q5.code
    inner join "sqlanon_scale_q6" as scale_q6
        on cells.q6 = scale_q6.code
    inner join "sqlanon_scale_q7" as scale_q7
        on cells.q7 = scale_q7.code
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
        ) * 128
        + (
            floor((centres.rank_q1 + 0) / 256)
            - 2 * floor((centres.rank_q1 + 0) / 512)
        ) * 16384
        + (
            floor((centres.rank_q1 + 0) / 512)
            - 2 * floor((centres.rank_q1 + 0) / 1024)
        ) * 2097152
        + (
            floor((centres.rank_q1 + 0) / 1024)
            - 2 * floor((centres.rank_q1 + 0) / 2048)
        ) * 268435456
        + (
            floor((centres.rank_q2 + 0) / 64)
            - 2 * floor((centres.rank_q2 + 0) / 128)
        ) * 2
        + (
            floor((centres.rank_q2 + 0) / 128)
            - 2 * floor((centres.rank_q2 + 0) / 256)
        ) * 256
        + (
            floor((centres.rank_q2 + 0) / 256)
            - 2 * floor((centres.rank_q2 + 0) / 512)
        ) * 32768
        + (
            floor((centres.rank_q2 + 0) / 512)
            - 2 * floor((centres.rank_q2 + 0) / 1024)
        ) * 4194304
        + (
            floor((centres.rank_q2 + 0) / 1024)
            - 2 * floor((centres.rank_q2 + 0) / 2048)
        ) * 536870912
        + (
            floor((centres.rank_q3 + 0) / 64)
            - 2 * floor((centres.rank_q3 + 0) / 128)
        ) * 4
        + (
            floor((centres.rank_q3 + 0) / 128)
            - 2 * floor((centres.rank_q3 + 0) / 256)
        ) * 512
        + (
            floor((centres.rank_q3 + 0) / 256)
            - 2 * floor((centres.rank_q3 + 0) / 512)
        ) * 65536
        + (
            floor((centres.rank_q3 + 0) / 512)
            - 2 * floor((centres.rank_q3 + 0) / 1024)
        ) * 8388608
        + (
            floor((centres.rank_q3 + 0) / 1024)
            - 2 * floor((centres.rank_q3 + 0) / 2048)
        ) * 1073741824
        + (
            floor((centres.rank_q4 + 0) / 64)
            - 2 * floor((centres.rank_q4 + 0) / 128)
        ) * 8
        + (
            floor((centres.rank_q4 + 0) / 128)
            - 2 * floor((centres.rank_q4 + 0) / 256)
        ) * 1024
        + (
            floor((centres.rank_q4 + 0) / 256)
            - 2 * floor((centres.rank_q4 + 0) / 512)
        ) * 131072
        + (
            floor((centres.rank_q4 + 0) / 512)
            - 2 * floor((centres.rank_q4 + 0) / 1024)
        ) * 16777216
        + (
            floor((centres.rank_q4 + 0) / 1024)
            - 2 * floor((centres.rank_q4 + 0) / 2048)
        ) * 2147483648
        + (
            floor((centres.rank_q5 + 0) / 64)
            - 2 * floor((centres.rank_q5 + 0) / 128)
        ) * 16
        + (
            floor((centres.rank_q5 + 0) / 128)
            - 2 * floor((centres.rank_q5 + 0) / 256)
        ) * 2048
        + (
            floor((centres.rank_q5 + 0) / 256)
            - 2 * floor((centres.rank_q5 + 0) / 512)
        ) * 262144
        + (
            floor((centres.rank_q5 + 0) / 512)
            - 2 * floor((centres.rank_q5 + 0) / 1024)
        ) * 33554432
        + (
            floor((centres.rank_q5 + 0) / 1024)
            - 2 * floor((centres.rank_q5 + 0) / 2048)
        ) * 4294967296
        + (
            floor((centres.rank_q6 + 0) / 64)
            - 2 * floor((centres.rank_q6 + 0) / 128)
        ) * 32
        + (
            floor((centres.rank_q6 + 0) / 128)
            - 2 * floor((centres.rank_q6 + 0) / 256)
        ) * 4096
        + (
            floor((centres.rank_q6 + 0) / 256)
            - 2 * floor((centres.rank_q6 + 0) / 512)
        ) * 524288
        + (
            floor((centres.rank_q6 + 0) / 512)
            - 2 * floor((centres.rank_q6 + 0) / 1024)
        ) * 67108864
        + (
            floor((centres.rank_q6 + 0) / 1024)
            - 2 * floor((centres.rank_q6 + 0) / 2048)
        ) * 8589934592
        + (
            floor((centres.rank_q7 + 0) / 64)
            - 2 * floor((centres.rank_q7 + 0) / 128)
        ) * 64
        + (
            floor((centres.rank_q7 + 0) / 128)
            - 2 * floor((centres.rank_q7 + 0) / 256)
        ) * 8192
        + (
            floor((centres.rank_q7 + 0) / 256)
            - 2 * floor((centres.rank_q7 + 0) / 512)
        ) * 1048576
        + (
            floor((centres.rank_q7 + 0) / 512)
            - 2 * floor((centres.rank_q7 + 0) / 1024)
        ) * 134217728
        + (
            floor((centres.rank_q7 + 0) / 1024)
            - 2 * floor((centres.rank_q7 + 0) / 2048)
        ) * 17179869184 as curve
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
