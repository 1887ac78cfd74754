-- relation: distinct_l
-- grain: one row per equivalence class
-- inputs: classes, class_values
-- outputs: class_id, value, amount, scale
-- paper: Machanavajjhala et al. 2007; Gowda 2023, §2.6.1
-- How many distinct sensitive values the class holds, NULL among them: at least l.
with diversity as (
    select
        class_values.class_id,
        count(*) as value
    from "sqlanon_lattice_chosen_values_s1" as class_values
    group by class_values.class_id
)

select
    classes.class_id,
    diversity.value,
    cast(diversity.value as decimal(38, 0)) as amount,
    1 as scale
from "sqlanon_lattice_chosen_sizes" as classes
inner join diversity
    on classes.class_id = diversity.class_id
