with cells as (
    select
        stack.s1,
        cast(positions_s1.position - 1 as double) as place_0,
        stack.s2,
        cast(positions_s2.position - 1 as double) as place_1,
        stack.frequency,
        stack.block
    from "sqlanon_value_stack" as stack
    inner join "sqlanon_positions_s1" as positions_s1
        on stack.s1 = positions_s1.code
    inner join "sqlanon_positions_s2" as positions_s2
        on stack.s2 = positions_s2.code
),

spans as (
    select
        min(cells.place_0) as first_0,
        greatest(max(cells.place_0) - min(cells.place_0), 1) as span_0,
        min(cells.place_1) as first_1,
        greatest(max(cells.place_1) - min(cells.place_1), 1) as span_1
    from cells
),

weights as (
    select
        floor(
            case
                when matrix.a_0_0 = greatest(matrix.a_0_0, matrix.a_1_1) then matrix.a_0_0
                when matrix.a_1_1 = greatest(matrix.a_0_0, matrix.a_1_1) then matrix.a_0_1
                else 0
            end * 1000000 / spans.span_0
        ) as weight_0,
        floor(
            case
                when matrix.a_0_0 = greatest(matrix.a_0_0, matrix.a_1_1) then matrix.a_0_1
                when matrix.a_1_1 = greatest(matrix.a_0_0, matrix.a_1_1) then matrix.a_1_1
                else 0
            end * 1000000 / spans.span_1
        ) as weight_1
    from "sqlanon_matrix_6" as matrix
    cross join spans
),

blocks as (
    select
        cells.s1,
        cells.s2,
        cells.frequency,
        row_number() over (
            order by
                weights.weight_0 * (cells.place_0 - spans.first_0) + weights.weight_1 * (cells.place_1 - spans.first_1),
                cells.block
        ) - 1 as block
    from cells
    cross join weights
    cross join spans
)

select
    blocks.s1,
    blocks.s2,
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks
