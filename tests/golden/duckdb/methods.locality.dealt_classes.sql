-- relation: dealt_classes
-- grain: one row per record, without saying which
-- inputs: stacked, stripe_stacks
-- outputs: class_id
-- paper: sqlanon, golden relabelling
-- The places that Stack & Deal gives a block, in an order that spreads them over the curve. A
-- block's places are consecutive classes; multiplied by the golden ratio they fall evenly, so the
-- next record of the curve goes to the next of these. How many of each value a class holds stays
-- exactly what plain dealing gives. 2654435769 is 2^32 divided by the golden ratio. The row number
-- of a slot is that of the record that takes it; both are sorted by block first.
with origin as (
    select min(numbered.rowid) as first_row
    from "sqlanon_stacked" as numbered
),

dealt as (
    select
        stripe_stacks.pile,
        (stacked.rowid - origin.first_row - stripe_stacks.first_place) % stripe_stacks.classes
            as class_of_stripe,
        stripe_stacks.first_class
    from "sqlanon_stacked" as stacked
    cross join origin
    inner join "sqlanon_stripe_stacks" as stripe_stacks
        on stacked.pile = stripe_stacks.pile
)

select cast(dealt.first_class + dealt.class_of_stripe as integer) as class_id
from dealt
order by dealt.pile * 4294967296 + dealt.class_of_stripe * 2654435769 % 4294967296
