with kept as (
    select
        2 * parts.class_id as class_id,
        parts.cell_id,
        parts.records
    from "sqlanon_search_tried_2" as parts
    left join "sqlanon_refine_pools" as class_pools
        on parts.class_id = class_pools.class_id
    left join "sqlanon_refine_better" as better_pools
        on class_pools.pool = better_pools.pool
    where better_pools.pool is null
    union all
    select
        2 * new_parts.class_id + 1 as class_id,
        new_parts.cell_id,
        new_parts.records
    from "sqlanon_refine_cut" as new_parts
    inner join "sqlanon_refine_better" as better_pools
        on new_parts.root = better_pools.pool
)

select
    dense_rank() over (order by kept.class_id) - 1 as class_id,
    cast(0 as bigint) as root,
    kept.cell_id,
    kept.records
from kept
