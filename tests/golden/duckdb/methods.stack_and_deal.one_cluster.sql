with cells as (
    select
        stack.s1,
        positions_s1.position - min(positions_s1.position) over () as above_s1,
        max(positions_s1.position) over () - min(positions_s1.position) over () as span_s1,
        stack.s2,
        positions_s2.position - min(positions_s2.position) over () as above_s2,
        max(positions_s2.position) over () - min(positions_s2.position) over () as span_s2,
        stack.frequency,
        stack.block
    from "sqlanon_value_stack" as stack
    inner join "sqlanon_positions_s1" as positions_s1
        on stack.s1 = positions_s1.code
    inner join "sqlanon_positions_s2" as positions_s2
        on stack.s2 = positions_s2.code
)

select
    cells.s1,
    cells.s2,
    cells.frequency,
    cells.block,
    cast(cast(floor((cells.above_s1 * 1000) / cast(greatest(cells.span_s1, 1) as double)) as bigint) as bigint) as place_s1,
    cast(cast(floor((cells.above_s2 * 1000) / cast(greatest(cells.span_s2, 1) as double)) as bigint) as bigint) as place_s2,
    cast(0 as bigint) as cluster
from cells
