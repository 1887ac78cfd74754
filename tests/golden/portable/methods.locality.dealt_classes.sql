-- relation: dealt_classes
-- grain: one row per record, without saying which
-- inputs: stacked, stripe_stacks
-- outputs: stripe, block, turn, class_id
-- paper: sqlanon, golden relabelling
-- The places that Stack & Deal gives a block, in an order that spreads them over the curve. A
-- block's places are consecutive classes; multiplied by the golden ratio they fall evenly, so the
-- next record of the curve goes to the next of these. How many of each value a class holds stays
-- exactly what plain dealing gives. 2654435769 is 2^32 divided by the golden ratio.
with dealt as (
    select
        stacked.stripe,
        stacked.block,
        stripe_stacks.start + stacked.turn as place,
        (stripe_stacks.start + stacked.turn) % stripe_stacks.classes as class_of_stripe,
        stripe_stacks.first_class
    from "sqlanon_stacked" as stacked
    inner join "sqlanon_stripe_stacks" as stripe_stacks
        on stacked.stripe = stripe_stacks.stripe and stacked.block = stripe_stacks.block
)

select
    dealt.stripe,
    dealt.block,
    row_number() over (
        partition by dealt.stripe, dealt.block
        order by dealt.class_of_stripe * 2654435769 % 4294967296, dealt.place
    ) - 1 as turn,
    dealt.first_class + dealt.class_of_stripe as class_id
from dealt
