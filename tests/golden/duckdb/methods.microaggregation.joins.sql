-- relation: joins
-- grain: one row per class that is joined with another
-- inputs: near, shortfalls, tried
-- outputs: class_id, into_class
-- paper: Soria-Comas et al. 2015, algorithm 1; the shortfall first, and many pairs in a round: sqlanon
-- A class that fails a model would be joined, of those near to it, with the one by which both together fall least
-- short of what is asked in comparison with before; of equals with the nearest. Of the pairs that have a class in
-- common only the first by the same order is joined, so that a class takes one other at a time.
with ranked as (
    select
        near.class_id,
        near.into_class,
        near.apart,
        tried.short - own.short - others.short as short,
        row_number() over (
            partition by near.class_id order by tried.short - own.short - others.short, near.apart, near.into_class
        ) as rank
    from "sqlanon_micro_near" as near
    inner join "sqlanon_micro_together" as tried
        on near.pair = tried.class_id
    inner join "sqlanon_micro_shortfalls" as own
        on near.class_id = own.class_id
    inner join "sqlanon_micro_shortfalls" as others
        on near.into_class = others.class_id
),

wished as (
    select
        ranked.class_id,
        ranked.into_class,
        ranked.short,
        ranked.apart
    from ranked
    where ranked.rank = 1
),

touched as (
    select
        wished.class_id as touched_class,
        wished.short,
        wished.apart,
        wished.class_id
    from wished
    union all
    select
        wished.into_class as touched_class,
        wished.short,
        wished.apart,
        wished.class_id
    from wished
),

first_wishes as (
    select
        touched.touched_class,
        touched.class_id,
        row_number() over (
            partition by touched.touched_class order by touched.short, touched.apart, touched.class_id
        ) as rank
    from touched
)

select
    wished.class_id,
    wished.into_class
from wished
inner join first_wishes as own
    on wished.class_id = own.touched_class and wished.class_id = own.class_id and own.rank = 1
inner join first_wishes as taking
    on wished.into_class = taking.touched_class and wished.class_id = taking.class_id and taking.rank = 1
