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
