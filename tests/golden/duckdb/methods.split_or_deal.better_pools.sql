-- relation: better_pools
-- grain: one row per pool that loses less when it is cut anew
-- inputs: class_pools, class_losses
-- outputs: pool
-- paper: sqlanon, Split-or-Deal §3
-- A pool is cut anew only where its loss falls: a pass never hurts.
with old_losses as (
    select
        class_pools.pool,
        sum(class_pools.loss) as loss
    from "sqlanon_refine_pools" as class_pools
    group by class_pools.pool
),

new_losses as (
    select
        class_losses.root as pool,
        sum(class_losses.loss) as loss
    from "sqlanon_refine_new_losses" as class_losses
    group by class_losses.root
)

select old_losses.pool
from old_losses
inner join new_losses
    on old_losses.pool = new_losses.pool
where new_losses.loss < old_losses.loss
