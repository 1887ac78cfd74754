-- relation: chosen
-- grain: one row per unit that finds a group
-- inputs: candidates, large_groups, held?
-- outputs: unit_id, pattern, cost, records, q*
-- paper: none
-- Every unit takes the group that costs least; of these the largest, and the first of equal ones. The
-- order is the same for all units, so that the first group gets all of its candidates.
with ranked as (
    select
        candidates.unit_id,
        candidates.pattern,
        candidates.cost,
        candidates.records,
        candidates.q2,
        row_number() over (
            partition by candidates.unit_id
            order by large_groups.cost asc, large_groups.records desc, large_groups.class_id asc
        ) as place
    from "sqlanon_cells_candidates" as candidates
    inner join "sqlanon_cells_groups_1" as large_groups
        on
            candidates.q2 = large_groups.q2
)

select
    ranked.unit_id,
    ranked.pattern,
    ranked.cost,
    ranked.records,
    ranked.q2
from ranked
where ranked.place = 1
