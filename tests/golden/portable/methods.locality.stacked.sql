-- relation: stacked
-- grain: one row per record
-- inputs: striped, stripe_stacks
-- outputs: q*, s*, x*|k*, stripe, block, turn
-- paper: none
-- The records of every block in the order of the curve.
select
    striped.q1,
    striped.q2,
    striped.q3,
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
            striped.q3,
            striped.k1
    ) - 1 as turn
from "sqlanon_striped" as striped
inner join "sqlanon_stripe_stacks" as stripe_stacks
    on
        striped.stripe = stripe_stacks.stripe
        and striped.s1 = stripe_stacks.s1
