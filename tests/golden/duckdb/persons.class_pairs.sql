-- relation: class_pairs
-- grain: one row per class
-- inputs: class_values
-- outputs: class_id, records
-- paper: none
-- How many pairs of a person and a value the class has: the size of a distribution over them.
select
    class_values.class_id,
    cast(sum(class_values.records) as bigint) as records
from "sqlanon_class_values_s1" as class_values
group by class_values.class_id
