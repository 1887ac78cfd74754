-- relation: groups
-- grain: one row per tuple that candidates would show together
-- inputs: candidates, settled
-- outputs: class_id, q*, cost, records
-- paper: none
-- Groups that are large enough, with the units that show the tuple already.
with gathered as (
    select
        candidates.q1,
        min(candidates.unit_id * 2 + candidates.pattern) as class_id,
        min(candidates.cost) as cost,
        cast(sum(candidates.records) as bigint) as records
    from "sqlanon_cells_candidates" as candidates
    group by
        candidates.q1
),

already as (
    select
        settled.q1,
        cast(sum(settled.records) as bigint) as records
    from "sqlanon_cells_settled_1" as settled
    group by
        settled.q1
)

select
    gathered.class_id,
    gathered.q1,
    gathered.cost,
    gathered.records + coalesce(already.records, 0) as records
from gathered
left join already
    on
        gathered.q1 = already.q1
where gathered.records + coalesce(already.records, 0) >= 10
