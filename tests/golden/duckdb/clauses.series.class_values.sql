with shown as (
    select
        class_values_s1.class_id,
        'disease' as attribute,
        cast(positions_s1.value as varchar) as value,
        cast(class_values_s1.records as bigint) as persons
    from "sqlanon_class_values_s1" as class_values_s1
    inner join "sqlanon_positions_s1" as positions_s1
        on class_values_s1.code = positions_s1.code
    union all
    select
        class_values_s2.class_id,
        'pain' as attribute,
        cast(positions_s2.value as varchar) as value,
        cast(class_values_s2.records as bigint) as persons
    from "sqlanon_class_values_s2" as class_values_s2
    inner join "sqlanon_positions_s2" as positions_s2
        on class_values_s2.code = positions_s2.code

)

select
    shown.class_id,
    shown.attribute,
    shown.value,
    shown.persons
from shown
