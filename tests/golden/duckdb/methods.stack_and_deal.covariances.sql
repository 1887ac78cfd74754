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

shares as (
    select
        floor((cells.place_0 - spans.first_0) * 1000 / spans.span_0) as share_0,
        floor((cells.place_1 - spans.first_1) * 1000 / spans.span_1) as share_1,
        cast(cells.frequency as double) as frequency
    from cells
    cross join spans
),

moments as (
    select
        sum(shares.frequency * shares.share_0) as total_0,
        sum(shares.frequency * shares.share_0 * shares.share_0) as product_0_0,
        sum(shares.frequency * shares.share_0 * shares.share_1) as product_0_1,
        sum(shares.frequency * shares.share_1) as total_1,
        sum(shares.frequency * shares.share_1 * shares.share_1) as product_1_1,
        sum(shares.frequency) as records
    from shares
),

products as (
    select
        moments.records * moments.product_0_0 - moments.total_0 * moments.total_0 as a_0_0,
        moments.records * moments.product_0_1 - moments.total_0 * moments.total_1 as a_0_1,
        moments.records * moments.product_1_1 - moments.total_1 * moments.total_1 as a_1_1
    from moments
)

select
    floor(products.a_0_0 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_0_0,
    floor(products.a_0_1 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_0_1,
    floor(products.a_1_1 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_1_1
from products
