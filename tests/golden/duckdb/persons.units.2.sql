-- relation: units
-- grain: one row per person
-- inputs: coded, persons
-- outputs: q*, s*, x0
-- paper: none
-- One record stands for each person while classes are formed, so that no class parts a person from
-- another record of his or hers. Which, a seeded shuffle of the person's records decides.
with owned as (
    select
        coded.q1,
        coded.q2,
        coded.s1,
        coded.s2,
        persons.x0
    from "sqlanon_coded" as coded
    inner join "sqlanon_persons" as persons
        on
            coded.w1 = persons.w1
            and coded.w2 = persons.w2
),

digested as (
    select
        owned.q1,
        owned.q2,
        owned.s1,
        owned.s2,
        owned.x0,
        (((((cast(0 as bigint) * 48271 + owned.x0) % 2147483647 * 48271 + owned.q1) % 2147483647 * 48271 + owned.q2) % 2147483647 * 48271 + owned.s1) % 2147483647 * 48271 + owned.s2) % 2147483647 as digest
    from owned
),

shuffled as (
    select
        digested.q1,
        digested.q2,
        digested.s1,
        digested.s2,
        digested.x0,
        row_number() over (
            partition by digested.x0
            order by
                (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647,
                digested.q1,
                digested.q2,
                digested.s1,
                digested.s2
        ) as turn
    from digested
)

select
    cast(shuffled.q1 as bigint) as q1,
    cast(shuffled.q2 as bigint) as q2,
    cast(shuffled.s1 as bigint) as s1,
    cast(shuffled.s2 as bigint) as s2,
    shuffled.x0
from shuffled
where shuffled.turn = 1
