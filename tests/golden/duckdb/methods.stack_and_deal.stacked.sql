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
    cast(shuffled.q1 as integer) as q1,
    cast(shuffled.s1 as integer) as s1,
    shuffled.k1
from shuffled
inner join "sqlanon_stack" as stack
    on
        shuffled.s1 = stack.s1
order by
    cast(stack.block as integer),
    cast(shuffled.shuffle as integer),
    shuffled.q1,
    shuffled.k1
