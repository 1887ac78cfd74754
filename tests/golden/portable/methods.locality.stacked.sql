select
    striped.q1,
    striped.q2,
    striped.s1,
    striped.k1,
    striped.stripe,
    stripe_stacks.block,
    row_number() over (
        partition by striped.stripe, stripe_stacks.block
        order by
            striped.place,
            striped.q1,
            striped.q2,
            striped.s1,
            striped.k1
    ) - 1 as turn
from "sqlanon_striped" as striped
inner join "sqlanon_stripe_stacks" as stripe_stacks
    on
        striped.stripe = stripe_stacks.stripe
        and striped.fragment = stripe_stacks.fragment
