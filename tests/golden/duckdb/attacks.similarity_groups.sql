with under as (
    select
        class_values.class_id,
        positions.node_1 as node,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_class_values_s1" as class_values
    inner join "sqlanon_positions_s1" as positions
        on class_values.code = positions.code
    group by class_values.class_id, positions.node_1
),

most as (
    select
        under.class_id,
        cast(sum(under.records) as bigint) as records,
        cast(max(under.records) as bigint) as alike
    from under
    group by under.class_id
)

select
    most.class_id,
    most.records,
    round(cast(most.alike as double) / most.records, 9) as value,
    case when most.alike = most.records then 1 else 0 end as exposed
from most
