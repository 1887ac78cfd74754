-- relation: predicted
-- grain: one row per number of classes and model
-- inputs: classes, held?, model_*
-- outputs: classes, place, value, failing_kinds
-- paper: none
-- What each model will reach: the value of the worst kind of class.
with reached as (
    select
        classes.classes,
        1 as place,
        cast(min(measured.value) as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_k_anonymity" as measured
        on classes.class_id = measured.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 1
    group by classes.classes
    union all
    select
        classes.classes,
        2 as place,
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_distinct_l_s1" as measured
        on classes.class_id = measured.class_id
    group by classes.classes
    union all
    select
        classes.classes,
        3 as place,
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_entropy_l_s1" as measured
        on classes.class_id = measured.class_id
    group by classes.classes
    union all
    select
        classes.classes,
        4 as place,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(0) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_alpha_s1" as measured
        on classes.class_id = measured.class_id
    group by classes.classes
    union all
    select
        classes.classes,
        5 as place,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_t_closeness_s1" as measured
        on classes.class_id = measured.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 5
    group by classes.classes

)

select
    reached.classes,
    reached.place,
    reached.value,
    reached.failing_kinds
from reached
