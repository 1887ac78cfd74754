with owned as (
    select
        coded.q1,
        coded.q2,
        coded.s1,
        persons.x0
    from "sqlanon_coded" as coded
    inner join "sqlanon_kept_persons" as persons
        on
            coded.w1 = persons.w1
),

digested as (
    select
        owned.q1,
        owned.q2,
        owned.s1,
        owned.x0,
        ((((cast(0 as bigint) * 48271 + owned.x0) % 2147483647 * 48271 + owned.q1) % 2147483647 * 48271 + owned.q2) % 2147483647 * 48271 + owned.s1) % 2147483647 as digest
    from owned
),

shuffled as (
    select
        digested.q1,
        digested.q2,
        digested.s1,
        digested.x0,
        row_number() over (
            partition by digested.x0
            order by
                (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647,
                digested.q1,
                digested.q2,
                digested.s1
        ) as turn
    from digested
)

select
    cast(shuffled.q1 as bigint) as q1,
    cast(shuffled.q2 as bigint) as q2,
    cast(shuffled.s1 as bigint) as s1,
    shuffled.x0
from shuffled
where shuffled.turn = 1
