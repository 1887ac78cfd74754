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
    shuffled.q1,
    shuffled.q2,
    shuffled.s0,
    shuffled.k1,
    stack.start + row_number() over (
        partition by shuffled.s0
        order by
            shuffled.shuffle,
            shuffled.q1,
            shuffled.q2,
            shuffled.k1
    ) - 1 as position
from shuffled
inner join "sqlanon_stack" as stack
    on
        shuffled.s0 = stack.s0
