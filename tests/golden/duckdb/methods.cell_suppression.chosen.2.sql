-- relation: chosen
-- grain: one row per unit that finds a group
-- inputs: candidates, large_groups, held?
-- outputs: unit_id, pattern, cost, records, q*
-- paper: none
-- Every unit takes the group that costs least; of these the largest, and the first of equal ones. The
-- order is the same for all units, so that the first group gets all of its candidates.
with failing as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
),

ranked as (
    select
        candidates.unit_id,
        candidates.pattern,
        candidates.cost,
        candidates.records,
        candidates.q1,
        candidates.q2,
        candidates.q3,
        row_number() over (
            partition by candidates.unit_id
            order by large_groups.cost asc, large_groups.records desc, large_groups.class_id asc
        ) as place
    from "sqlanon_cells_chosen_1" as candidates
    inner join "sqlanon_cells_groups_2" as large_groups
        on
            candidates.q1 = large_groups.q1
            and candidates.q2 = large_groups.q2
            and candidates.q3 = large_groups.q3
    left join failing
        on large_groups.class_id = failing.class_id
    where failing.class_id is null
)

select
    ranked.unit_id,
    ranked.pattern,
    ranked.cost,
    ranked.records,
    ranked.q1,
    ranked.q2,
    ranked.q3
from ranked
where ranked.place = 1
