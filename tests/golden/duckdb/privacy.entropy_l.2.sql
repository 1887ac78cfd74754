-- relation: entropy_l
-- grain: one row per equivalence class
-- inputs: classes, class_values
-- outputs: class_id, value, amount, scale
-- paper: Machanavajjhala et al. 2007; Gowda 2023, §2.6.1
-- The effective number of sensitive values, exp of the entropy: at least l. Logarithms are not
-- exact, so a class at equality passes within one part in a billion.
with entropies as (
    select
        classes.class_id,
        ln(classes.records)
        - sum(class_values.records * ln(class_values.records)) / classes.records as entropy
    from "sqlanon_class_shares_s1" as class_values
    inner join "sqlanon_class_wholes_s1" as classes
        on class_values.class_id = classes.class_id
    group by classes.class_id, classes.records
)

select
    entropies.class_id,
    round(exp(entropies.entropy), 9) as value,
    entropies.entropy as amount,
    1 as scale
from entropies
