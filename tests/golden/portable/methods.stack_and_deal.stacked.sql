with digested as (
    select
        coded.q1,
        coded.s1,
        coded.k1,
        (cast(0 as bigint) * 48271 + coded.q1) % 2147483647 as digest
    from "sqlanon_coded" as coded
),

shuffled as (
    select
        digested.q1,
        digested.s1,
        digested.k1,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
)

select
    shuffled.q1,
    shuffled.s1,
    shuffled.k1,
    stack.start + row_number() over (
        partition by shuffled.s1
        order by
            shuffled.shuffle,
            shuffled.q1,
            shuffled.k1
    ) - 1 as position
from shuffled
inner join "sqlanon_stack" as stack
    on
        shuffled.s1 = stack.s1
