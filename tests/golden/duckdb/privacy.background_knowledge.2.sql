-- relation: background_knowledge
-- grain: one row per equivalence class
-- inputs: classes, class_values, divergences
-- outputs: class_id, value, amount, scale
-- paper: Amiri et al. 2023, §4, requirement (1); Lin 1991
-- How far apart at most lies what is known beforehand of two members: the greatest Jensen-Shannon
-- divergence of the profiles in the class, in whole parts of 10^9.
with furthest as (
    select
        one.class_id,
        max(divergences.amount) as amount
    from "sqlanon_lattice_chosen_values_b1" as one
    inner join "sqlanon_lattice_chosen_values_b1" as two
        on one.class_id = two.class_id and one.code < two.code
    inner join "sqlanon_divergences_b1" as divergences
        on one.code = divergences.code and two.code = divergences.other
    group by one.class_id
)

select
    classes.class_id,
    cast(coalesce(furthest.amount, 0) as double) / 1e9 as value,
    cast(coalesce(furthest.amount, 0) as decimal(38, 0)) as amount,
    cast(1000000000 as decimal(38, 0)) as scale
from "sqlanon_lattice_chosen_sizes" as classes
left join furthest
    on classes.class_id = furthest.class_id
