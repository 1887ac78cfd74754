-- relation: alpha
-- grain: one row per equivalence class
-- inputs: classes, class_values
-- outputs: class_id, value, holds
-- paper: Wong et al. 2006, (alpha, k)-anonymity
-- The share of the most frequent sensitive value: at most alpha.
with most_frequent as (
    select
        class_values.class_id,
        max(class_values.records) as records
    from "sqlanon_dealt_values_s2" as class_values
    group by class_values.class_id
)

select
    classes.class_id,
    cast(most_frequent.records as double) / classes.records as value,
    case
        when most_frequent.records * 10 <= classes.records * 9 then 1
        else 0
    end as holds
from "sqlanon_dealt_classes" as classes
inner join most_frequent
    on classes.class_id = most_frequent.class_id
