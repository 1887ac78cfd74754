-- relation: stacked
-- grain: one row per record
-- inputs: coded, stack
-- outputs: q*, s*, x*|k*
-- paper: Gowda 2023, §3.3.1
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. DuckDB keeps the order in which a
-- table is written, so a record's place in the stack is its row number: one sort, no window.
with digested as (
    select
        coded.q1,
        coded.q2,
        coded.q3,
        coded.q4,
        coded.q5,
        coded.q6,
        coded.q7,
        coded.s1,
        coded.s2,
        coded.s3,
        coded.x1,
        (((((((cast(7 as bigint) * 48271 + coded.q1) % 2147483647 * 48271 + coded.q2) % 2147483647 * 48271 + coded.q3) % 2147483647 * 48271 + coded.q4) % 2147483647 * 48271 + coded.q5) % 2147483647 * 48271 + coded.q6) % 2147483647 * 48271 + coded.q7) % 2147483647 as digest
    from "sqlanon_coded" as coded
),

shuffled as (
    select
        digested.q1,
        digested.q2,
        digested.q3,
        digested.q4,
        digested.q5,
        digested.q6,
        digested.q7,
        digested.s1,
        digested.s2,
        digested.s3,
        digested.x1,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
)

select
    cast(shuffled.q1 as integer) as q1,
    cast(shuffled.q2 as integer) as q2,
    cast(shuffled.q3 as integer) as q3,
    cast(shuffled.q4 as integer) as q4,
    cast(shuffled.q5 as integer) as q5,
    cast(shuffled.q6 as integer) as q6,
    cast(shuffled.q7 as integer) as q7,
    cast(shuffled.s1 as integer) as s1,
    cast(shuffled.s2 as integer) as s2,
    cast(shuffled.s3 as integer) as s3,
    shuffled.x1
from shuffled
inner join "sqlanon_stack" as stack
    on
        shuffled.s1 = stack.s1
        and shuffled.s2 = stack.s2
        and shuffled.s3 = stack.s3
order by
    cast(stack.block as integer),
    cast(shuffled.shuffle as integer),
    shuffled.q1,
    shuffled.q2,
    shuffled.q3,
    shuffled.q4,
    shuffled.q5,
    shuffled.q6,
    shuffled.q7,
    shuffled.x1
