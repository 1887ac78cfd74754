with digested as (
    select
        coded.q1,
        coded.q2,
        coded.s0,
        coded.k1,
        ((cast(0 as bigint) * 48271 + coded.q1) % 2147483647 * 48271 + coded.q2) % 2147483647 as digest
    from "sqlanon_coded" as coded
),

shuffled as (
    select
        digested.q1,
        digested.q2,
        digested.s0,
        digested.k1,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
)

select
    cast(shuffled.q1 as integer) as q1,
    cast(shuffled.q2 as integer) as q2,
    cast(shuffled.s0 as integer) as s0,
    shuffled.k1
from shuffled
inner join "sqlanon_stack" as stack
    on
        shuffled.s0 = stack.s0
order by
    cast(stack.block as integer),
    cast(shuffled.shuffle as integer),
    shuffled.q1,
    shuffled.q2,
    shuffled.k1
