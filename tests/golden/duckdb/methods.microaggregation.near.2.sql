-- relation: near
-- grain: one row per class and class that it may be joined with
-- inputs: shortfalls, centroids
-- outputs: class_id, into_class, apart, pair
-- paper: none
-- Of the nearest classes of every class that fails a model, of its cluster and by the middles, those that it is
-- tried with: the first few, and then fewer and fewer.
with failing as (
    select shortfalls.class_id
    from "sqlanon_micro_shortfalls" as shortfalls
    where shortfalls.short > 0
),

met as (
    select
        short.class_id,
        others.class_id as into_class
    from failing
    inner join "sqlanon_micro_centroids" as short
        on failing.class_id = short.class_id
    inner join "sqlanon_micro_centroids" as others
        on short.block = others.block and short.class_id <> others.class_id
),

pairs as (
    select
        met.class_id,
        met.into_class,
        (short.x1 - others.x1) * (short.x1 - others.x1)
        + (short.x2 - others.x2) * (short.x2 - others.x2)
            as apart
    from met
    inner join "sqlanon_micro_centroids" as short
        on met.class_id = short.class_id
    inner join "sqlanon_micro_centroids" as others
        on met.into_class = others.class_id
),

ranked as (
    select
        pairs.class_id,
        pairs.into_class,
        pairs.apart,
        row_number() over (partition by pairs.class_id order by pairs.apart, pairs.into_class) as rank
    from pairs
)

select
    ranked.class_id,
    ranked.into_class,
    ranked.apart,
    ranked.class_id * 128 + ranked.rank - 1 as pair
from ranked
where ranked.rank in (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128)
