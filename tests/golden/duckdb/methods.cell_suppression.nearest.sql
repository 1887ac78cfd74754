-- relation: nearest
-- grain: one row per unit of the groups nearest to what is open
-- inputs: settled, units
-- outputs: unit_id, q*, records
-- paper: none
-- The groups that give up least, counted in cells by their importance, to show the same as all that is
-- open; of these the smallest, and the first of equal ones.
with common as (
    select
        case when min(units.q1) = max(units.q1) then min(units.q1) else -1 end as q1,
        cast(sum(units.records) as bigint) as records
    from "sqlanon_cells_open_1" as units
),

gathered as (
    select
        min(settled.unit_id) as class_id,
        settled.q1,
        cast(sum(settled.records) as bigint) as records
    from "sqlanon_cells_settled_0" as settled
    group by
        settled.q1
),

priced as (
    select
        gathered.class_id,
        gathered.q1,
        gathered.records,
        case
            when gathered.q1 = common.q1 then 0
            else
                1 * (
                    case when gathered.q1 = -1 then 0 else gathered.records end
                    + case when common.q1 = -1 then 0 else common.records end
                )
        end as q1_cost
    from gathered
    cross join common
),

first_groups as (
    select
        priced.q1
    from priced
    order by
        0 + priced.q1_cost asc,
        priced.records asc,
        priced.class_id asc
    limit 1
)

select
    settled.unit_id,
    settled.q1,
    settled.records
from "sqlanon_cells_settled_0" as settled
inner join first_groups
    on
        settled.q1 = first_groups.q1
