-- relation: joins
-- grain: one row per class that is joined with another
-- inputs: held, centroids
-- outputs: class_id, into_class
-- paper: Soria-Comas et al. 2015, algorithm 1; many pairs in a round: sqlanon
-- A class that fails a model would be joined with the class of its cluster whose middle is nearest. Of the
-- pairs that have a class in common only the nearest is joined, so that a class takes one other at a time.
with failing as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
),

pairs as (
    select
        short.class_id,
        others.class_id as into_class,
        (short.x1 - others.x1) * (short.x1 - others.x1)
        + (short.x2 - others.x2) * (short.x2 - others.x2)
        + (short.x3 - others.x3) * (short.x3 - others.x3)
            as apart
    from failing
    inner join "sqlanon_micro_centroids" as short
        on failing.class_id = short.class_id
    inner join "sqlanon_micro_centroids" as others
        on short.block = others.block and short.class_id <> others.class_id
),

ranked as (
    select
        pairs.class_id,
        pairs.into_class,
        pairs.apart,
        row_number() over (partition by pairs.class_id order by pairs.apart, pairs.into_class) as rank
    from pairs
),

wished as (
    select
        ranked.class_id,
        ranked.into_class,
        ranked.apart
    from ranked
    where ranked.rank = 1
),

touched as (
    select
        wished.class_id as touched_class,
        wished.class_id,
        wished.apart
    from wished
    union all
    select
        wished.into_class as touched_class,
        wished.class_id,
        wished.apart
    from wished
),

first_wishes as (
    select
        touched.touched_class,
        touched.class_id,
        row_number() over (partition by touched.touched_class order by touched.apart, touched.class_id) as rank
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
