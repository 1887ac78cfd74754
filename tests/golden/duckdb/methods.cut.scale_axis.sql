with present as (
    select
        cells.q6 as code,
        cast(dense_rank() over (order by cells.q6) as double) as axis,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    group by cells.q6
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
                floor((present.axis - extent.first_axis) / nullif(extent.length, 0) * 153846154 + 0.5) as bigint
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
        placed.middle
    from placed
),

stretched as (
    select
        binned.code,
        binned.axis,
        binned.middle,
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
    stretched.first_code as node_1,
    cast(153846154 as bigint) as loss_1
from stretched
