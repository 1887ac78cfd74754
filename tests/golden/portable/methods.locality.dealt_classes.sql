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
