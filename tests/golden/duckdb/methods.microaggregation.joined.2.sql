-- relation: shares
-- grain: one row per cell and class that holds records of it
-- inputs: shares, joins
-- outputs: class_id, cell_id, block, records
-- paper: none
-- The classes after some were joined with others.
select
    coalesce(joins.into_class, shares.class_id) as class_id,
    shares.cell_id,
    shares.block,
    cast(sum(shares.records) as bigint) as records
from "sqlanon_micro_swapped_1" as shares
left join "sqlanon_micro_joins" as joins
    on shares.class_id = joins.class_id
group by coalesce(joins.into_class, shares.class_id), shares.cell_id, shares.block
