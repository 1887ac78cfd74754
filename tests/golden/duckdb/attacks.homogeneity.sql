-- relation: homogeneity
-- grain: one row per class
-- inputs: class_values
-- outputs: class_id, records, value, exposed
-- paper: Machanavajjhala et al. 2007, §2.1 (the homogeneity attack); Kiran & Kavya 2012, §3
-- The share of a class that has its commonest value; exposed is 1 where all of it has.
with commonest as (
    select
        class_values.class_id,
        cast(sum(class_values.records) as bigint) as records,
        cast(max(class_values.records) as bigint) as most
    from "sqlanon_class_values_s1" as class_values
    group by class_values.class_id
)

select
    commonest.class_id,
    commonest.records,
    round(cast(commonest.most as double) / commonest.records, 9) as value,
    case when commonest.most = commonest.records then 1 else 0 end as exposed
from commonest
