with numbered as (
    select
        coded.q1,
        coded.q2,
        coded.q3,
        coded.s1,
        row_number() over (
            partition by coded.q1, coded.q2, coded.q3, coded.s1
            order by coded.k1
        ) as number
    from "sqlanon_coded" as coded
),

digested as (
    select
        numbered.q1,
        numbered.q2,
        numbered.q3,
        numbered.s1,
        numbered.number,
        (((((cast(0 as bigint) * 48271 + numbered.q1) % 2147483647 * 48271 + numbered.q2) % 2147483647 * 48271 + numbered.q3) % 2147483647 * 48271 + numbered.s1) % 2147483647 * 48271 + numbered.number) % 2147483647 as digest
    from numbered
)

select
    digested.q1,
    digested.q2,
    digested.q3,
    digested.s1,
    (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as drawn,
    digested.number
from digested
