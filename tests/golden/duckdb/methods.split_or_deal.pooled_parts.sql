-- relation: parts
-- grain: one row per pool and cell that holds records of it
-- inputs: parts, class_pools
-- outputs: class_id, root, cell_id, records
-- paper: sqlanon, Split-or-Deal §3
-- The records of every pool as one class, to be cut anew.
select
    class_pools.pool as class_id,
    class_pools.pool as root,
    parts.cell_id,
    cast(sum(parts.records) as bigint) as records
from "sqlanon_search_tried_2" as parts
inner join "sqlanon_refine_pools" as class_pools
    on parts.class_id = class_pools.class_id
group by class_pools.pool, parts.cell_id
