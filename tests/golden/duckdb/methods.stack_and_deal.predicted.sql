with reached as (
    select
        classes.classes,
        1 as number,
        cast(min(measured.value) as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_kinds
    from "sqlanon_classes" as classes
    inner join "sqlanon_measured_k_anonymity" as measured
        on classes.class_id = measured.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 1
    group by classes.classes

)

select
    reached.classes,
    reached.number,
    reached.value,
    reached.failing_kinds
from reached
