-- relation: stacked
-- grain: one row per record
-- inputs: striped, stripe_stacks
-- outputs: q*, s*, x*|k*, pile
-- paper: none
-- The records in the order of the stripes' stacks, and in every block in the order of the curve.
-- DuckDB keeps the order in which a table is written, so a record's place is its row number. The
-- stripes are sorted by one number: a block's, and within it the position along the curve.
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
