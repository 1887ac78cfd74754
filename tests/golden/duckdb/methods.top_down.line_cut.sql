-- relation: line_cut
-- grain: one row per code
-- inputs: cells, axis
-- outputs: code, records, level, node, loss, position
-- paper: Fung, Wang & Yu 2005, §3
-- The first cut of a column without hierarchy: one interval of all that is in use, named by its first
-- code, with where every code lies as a share of the column; NULL lies nowhere.
with counted as (
    select
        cells.q4 as code,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    group by cells.q4
),

extent as (
    select
        min(axis.axis) as first,
        max(axis.axis) as last
    from "sqlanon_axis_q4" as axis
),

placed as (
    select
        counted.code,
        counted.records,
        (axis.axis - extent.first) / nullif(extent.last - extent.first, 0) as position
    from counted
    inner join "sqlanon_axis_q4" as axis
        on counted.code = axis.code
    cross join extent
),

ends as (
    select
        min(placed.code) as low,
        max(placed.code) as high,
        min(placed.position) as low_position,
        max(placed.position) as high_position
    from placed
)

select
    placed.code,
    placed.records,
    0 as level,
    ends.low as node,
    case
        when ends.low = ends.high then cast(0 as bigint)
        when ends.low = 0 then cast(200000000 as bigint)
        else cast(floor(coalesce(ends.high_position - ends.low_position, 0) * 200000000 + 0.5) as bigint)
    end as loss,
    placed.position
from placed
cross join ends
