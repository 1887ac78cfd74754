select
    class_pools.pool as class_id,
    class_pools.pool as root,
    parts.cell_id,
    cast(sum(parts.records) as bigint) as records
from "sqlanon_search_tried_2" as parts
inner join "sqlanon_refine_pools" as class_pools
    on parts.class_id = class_pools.class_id
group by class_pools.pool, parts.cell_id
