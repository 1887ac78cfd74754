-- relation: scale_axis
-- grain: one row per code of a quasi-identifier without a hierarchy
-- inputs: cells, axis?
-- outputs: code, original, axis, spread, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- The codes in their own order. Each with its place on the axis in whole units (values without an
-- axis: its rank), and its middle rank among the records (spread, 0 to 1000). The levels are single
-- codes, bins of equal width, and all codes; a node is named by its first code, and loses the length
-- of the interval from its first to its last. NULL (code 0) lies nowhere: it is a bin of its own.
with present as (
    select
        cells.q1 as code,
        axis.axis,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    left join "sqlanon_axis_q1" as axis
        on cells.q1 = axis.code
    group by cells.q1, axis.axis
),

extent as (
    select
        min(present.axis) as first_axis,
        max(present.axis) - min(present.axis) as length
    from present
),

placed as (
    select
        present.code,
        case
            when present.axis is null or extent.length = 0 then 0
            else cast(
                floor((present.axis - extent.first_axis) / nullif(extent.length, 0) * 333333333 + 0.5) as bigint
            )
        end as axis,
        case when present.axis is null then 1 else 0 end as is_null,
        cast(
            2 * sum(present.records) over (order by present.code rows unbounded preceding) - present.records
            as bigint
        ) as middle
    from present
    cross join extent
),

binned as (
    select
        placed.code,
        placed.axis,
        placed.is_null,
        cast(floor(placed.axis * 37 / (1 * (333333333 + 1.0))) as bigint) as bin_1,
        cast(floor(placed.axis * 25 / (1 * (333333333 + 1.0))) as bigint) as bin_2,
        cast(floor(placed.axis * 15 / (1 * (333333333 + 1.0))) as bigint) as bin_3,
        cast(floor(placed.axis * 10 / (1 * (333333333 + 1.0))) as bigint) as bin_4,
        cast(floor(placed.axis * 73 / (10 * (333333333 + 1.0))) as bigint) as bin_5,
        cast(floor(placed.axis * 26 / (5 * (333333333 + 1.0))) as bigint) as bin_6,
        cast(floor(placed.axis * 73 / (20 * (333333333 + 1.0))) as bigint) as bin_7,
        cast(floor(placed.axis * 2 / (1 * (333333333 + 1.0))) as bigint) as bin_8,
        placed.middle
    from placed
)

select
    binned.code,
    binned.code as original,
    binned.axis,
    cast(floor(500.0 * binned.middle / 240) as bigint) as spread,
    binned.code as node_0,
    cast(0 as bigint) as loss_0,
    min(binned.code) over (partition by binned.is_null, binned.bin_1) as node_1,
    max(binned.axis) over (partition by binned.is_null, binned.bin_1)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_1) as loss_1,
    min(binned.code) over (partition by binned.is_null, binned.bin_2) as node_2,
    max(binned.axis) over (partition by binned.is_null, binned.bin_2)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_2) as loss_2,
    min(binned.code) over (partition by binned.is_null, binned.bin_3) as node_3,
    max(binned.axis) over (partition by binned.is_null, binned.bin_3)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_3) as loss_3,
    min(binned.code) over (partition by binned.is_null, binned.bin_4) as node_4,
    max(binned.axis) over (partition by binned.is_null, binned.bin_4)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_4) as loss_4,
    min(binned.code) over (partition by binned.is_null, binned.bin_5) as node_5,
    max(binned.axis) over (partition by binned.is_null, binned.bin_5)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_5) as loss_5,
    min(binned.code) over (partition by binned.is_null, binned.bin_6) as node_6,
    max(binned.axis) over (partition by binned.is_null, binned.bin_6)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_6) as loss_6,
    min(binned.code) over (partition by binned.is_null, binned.bin_7) as node_7,
    max(binned.axis) over (partition by binned.is_null, binned.bin_7)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_7) as loss_7,
    min(binned.code) over (partition by binned.is_null, binned.bin_8) as node_8,
    max(binned.axis) over (partition by binned.is_null, binned.bin_8)
    - min(binned.axis) over (partition by binned.is_null, binned.bin_8) as loss_8,
    min(binned.code) over () as node_9,
    cast(333333333 as bigint) as loss_9
from binned
