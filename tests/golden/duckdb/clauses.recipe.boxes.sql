with ends as (
    select
        try_cast(case when recipe.p1 like '[%, %]' then substr(recipe.p1, 2, strpos(recipe.p1, ', ') - 2) when recipe.p1 <> '*' then recipe.p1 end as double) as q1_low,
        try_cast(case when recipe.p1 like '[%, %]' then substr(recipe.p1, strpos(recipe.p1, ', ') + 2, length(recipe.p1) - strpos(recipe.p1, ', ') - 2) when recipe.p1 <> '*' then recipe.p1 end as double) as q1_high,
        recipe.p1, recipe.p2
    from "sqlanon_recipe" as recipe
),

losses as (
    select
        case
            when ends.p1 = '*' then 1000000
            when ends.q1_low < ends.q1_high then 1 + cast(floor(999998 * ((ends.q1_high / 2 - ends.q1_low / 2) / (max(ends.q1_high / 2) over () - min(ends.q1_low / 2) over ()))) as integer)
            else 0
        end as q1_loss,
        ends.p1, ends.p2
    from ends
)

select
    cast(row_number() over (order by losses.q1_loss, losses.p1 nulls first, losses.p2 nulls first) as integer) as class_id,
    losses.q1_loss,
    losses.q1_loss as width,
    losses.p1, losses.p2
from losses
