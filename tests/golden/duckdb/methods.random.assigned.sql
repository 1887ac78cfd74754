with shares as (
    select
        shuffled.drawn - shuffled.drawn % 2097152 as share,
        cast(
            sum(count(*)) over (
                order by shuffled.drawn - shuffled.drawn % 2097152 rows unbounded preceding
            ) - count(*) as bigint
        ) as before
    from "sqlanon_shuffled" as shuffled
    group by shuffled.drawn - shuffled.drawn % 2097152
),

totals as (
    select cast((count(*) - count(*) % 10) / 10 as bigint) as classes
    from "sqlanon_shuffled"
),

placed as (
    select
        shuffled.q1,
        shuffled.q2,
        shuffled.q3,
        shuffled.s1,
        shares.before + row_number() over (
            partition by shares.share
            order by
                shuffled.drawn,
                shuffled.q1,
                shuffled.q2,
                shuffled.q3,
                shuffled.s1,
                shuffled.number
        ) - 1 as place
    from "sqlanon_shuffled" as shuffled
    inner join shares
        on shuffled.drawn - shuffled.drawn % 2097152 = shares.share
)

select
    placed.place % totals.classes as class_id,
    placed.q1,
    placed.q2,
    placed.q3,
    placed.s1
from placed
cross join totals
