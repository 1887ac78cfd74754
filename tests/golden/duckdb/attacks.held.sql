with
extremes_s1 as (
    select
        class_values_s1.class_id,
        min(class_values_s1.code) as low,
        max(class_values_s1.code) as high
    from "sqlanon_class_values_s1" as class_values_s1
    group by class_values_s1.class_id
)

select
    classes.class_id,
    classes.records,
    extremes_s1.low as s1_low,
    extremes_s1.high as s1_high
from "sqlanon_classes" as classes
inner join extremes_s1
    on classes.class_id = extremes_s1.class_id
