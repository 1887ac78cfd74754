-- relation: groups
-- grain: one row per tuple that candidates would show together
-- inputs: candidates, settled
-- outputs: class_id, q*, cost, records
-- paper: none
-- Groups that are large enough, with the units that show the tuple already.
with gathered as (
    select
        candidates.q1,
        candidates.q2,
        candidates.q3,
        min(candidates.unit_id * 8 + candidates.pattern) as class_id,
        min(candidates.cost) as cost,
        cast(sum(candidates.records) as bigint) as records
    from "sqlanon_cells_chosen_1" as candidates
    group by
        candidates.q1,
        candidates.q2,
        candidates.q3
),

already as (
    select
        settled.q1,
        settled.q2,
        settled.q3,
        cast(sum(settled.records) as bigint) as records
    from "sqlanon_cells_settled_1" as settled
    group by
        settled.q1,
        settled.q2,
        settled.q3
)

select
    gathered.class_id,
    gathered.q1,
    gathered.q2,
    gathered.q3,
    gathered.cost,
    gathered.records + coalesce(already.records, 0) as records
from gathered
left join already
    on
        gathered.q1 = already.q1
        and gathered.q2 = already.q2
        and gathered.q3 = already.q3
where gathered.records + coalesce(already.records, 0) >= 5
