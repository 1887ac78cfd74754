-- relation: scale_axis
-- grain: one row per code of a quasi-identifier without a hierarchy
-- inputs: cells, axis?
-- outputs: code, original, axis, spread, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- The codes in their own order. Each with its place on the axis in whole units (values without an
-- axis: its rank), and its middle rank among the records (spread, 0 to 1000). The levels are single
-- codes, bins of equal width, and all codes; a node is named by its first code, and loses what the
-- interval from its first to its last does. NULL (code 0) lies nowhere: it is a bin of its own.
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
),

stretched as (
    select
        binned.code,
        binned.axis,
        binned.middle,
        min(binned.code) over (partition by binned.is_null, binned.bin_1) as node_1,
        max(binned.axis) over (partition by binned.is_null, binned.bin_1)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_1) as length_1,
        min(binned.code) over (partition by binned.is_null, binned.bin_2) as node_2,
        max(binned.axis) over (partition by binned.is_null, binned.bin_2)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_2) as length_2,
        min(binned.code) over (partition by binned.is_null, binned.bin_3) as node_3,
        max(binned.axis) over (partition by binned.is_null, binned.bin_3)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_3) as length_3,
        min(binned.code) over (partition by binned.is_null, binned.bin_4) as node_4,
        max(binned.axis) over (partition by binned.is_null, binned.bin_4)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_4) as length_4,
        min(binned.code) over (partition by binned.is_null, binned.bin_5) as node_5,
        max(binned.axis) over (partition by binned.is_null, binned.bin_5)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_5) as length_5,
        min(binned.code) over (partition by binned.is_null, binned.bin_6) as node_6,
        max(binned.axis) over (partition by binned.is_null, binned.bin_6)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_6) as length_6,
        min(binned.code) over (partition by binned.is_null, binned.bin_7) as node_7,
        max(binned.axis) over (partition by binned.is_null, binned.bin_7)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_7) as length_7,
        min(binned.code) over (partition by binned.is_null, binned.bin_8) as node_8,
        max(binned.axis) over (partition by binned.is_null, binned.bin_8)
        - min(binned.axis) over (partition by binned.is_null, binned.bin_8) as length_8,
        min(binned.code) over () as first_code
    from binned
)

select
    stretched.code,
    stretched.code as original,
    stretched.axis,
    cast(floor(500.0 * stretched.middle / 240) as bigint) as spread,
    stretched.code as node_0,
    cast(0 as bigint) as loss_0,
    stretched.node_1,
    stretched.length_1 as loss_1,
    stretched.node_2,
    stretched.length_2 as loss_2,
    stretched.node_3,
    stretched.length_3 as loss_3,
    stretched.node_4,
    stretched.length_4 as loss_4,
    stretched.node_5,
    stretched.length_5 as loss_5,
    stretched.node_6,
    stretched.length_6 as loss_6,
    stretched.node_7,
    stretched.length_7 as loss_7,
    stretched.node_8,
    stretched.length_8 as loss_8,
    stretched.first_code as node_9,
    cast(333333333 as bigint) as loss_9
from stretched
