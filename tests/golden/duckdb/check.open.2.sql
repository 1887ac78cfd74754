-- relation: open
-- grain: one row per demand of a class that is not known to be met
-- inputs: open, pairs
-- outputs: class_id, tuple_id, needed, reachable
-- paper: none
-- What is still needed beside the cells that lie inside the class, and what the others may add.
with found as (
    select
        pairs.class_id,
        pairs.tuple_id,
        cast(sum(pairs.records * pairs.inside) as bigint) as inside,
        cast(sum(pairs.records * (1 - pairs.inside)) as bigint) as partly
    from "sqlanon_pairs_2" as pairs
    group by pairs.class_id, pairs.tuple_id
)

select
    demanded.class_id,
    demanded.tuple_id,
    demanded.needed - coalesce(found.inside, 0) as needed,
    coalesce(found.partly, 0) as reachable
from "sqlanon_open_1" as demanded
left join found
    on demanded.class_id = found.class_id and demanded.tuple_id = found.tuple_id
where
    demanded.reachable >= demanded.needed
    and demanded.needed > coalesce(found.inside, 0)
