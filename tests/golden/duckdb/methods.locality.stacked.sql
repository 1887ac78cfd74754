select
    cast(striped.q1 as integer) as q1,
    cast(striped.q2 as integer) as q2,
    cast(striped.q3 as integer) as q3,
    cast(striped.s1 as integer) as s1,
    striped.k1,
    cast(stripe_stacks.pile as integer) as pile
from "sqlanon_striped" as striped
inner join "sqlanon_stripe_stacks" as stripe_stacks
    on
        striped.stripe = stripe_stacks.stripe
        and striped.s1 = stripe_stacks.s1
order by
    stripe_stacks.pile * 4294967296 + striped.position
