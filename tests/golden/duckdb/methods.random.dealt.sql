with counted as (
    select
        shuffled.s1,
        count(*) as frequency
    from "sqlanon_shuffled" as shuffled
    group by shuffled.s1
),

totals as (
    select greatest(cast(floor((sum(counted.frequency)) / cast(20 as double)) as bigint), 1) as classes
    from counted
),

digested as (
    select
        counted.s1,
        counted.frequency,
        (cast(0 as bigint) * 48271 + counted.s1) % 2147483647 as digest
    from counted
),

drawn_values as (
    select
        digested.s1,
        digested.frequency,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as drawn
    from digested
),

begun as (
    select
        drawn_values.s1,
        drawn_values.drawn % totals.classes * 2 as begins,
        totals.classes
    from drawn_values
    cross join totals
),

placed as (
    select
        shuffled.q1,
        shuffled.q2,
        shuffled.q3,
        shuffled.s1,
        row_number() over (
            partition by shuffled.s1
            order by
                shuffled.drawn,
                shuffled.q1,
                shuffled.q2,
                shuffled.q3,
                shuffled.s1,
                shuffled.number
        ) - 1 as place
    from "sqlanon_shuffled" as shuffled
)

select
    cast(floor((begun.begins + placed.place) / cast(2 as double)) as bigint) % begun.classes as class_id,
    placed.q1,
    placed.q2,
    placed.q3,
    placed.s1
from placed
inner join begun
    on
        placed.s1 = begun.s1
