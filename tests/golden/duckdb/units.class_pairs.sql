select
    class_values.class_id,
    cast(sum(class_values.records) as bigint) as records
from "sqlanon_class_values_s1" as class_values
group by class_values.class_id
