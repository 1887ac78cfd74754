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
