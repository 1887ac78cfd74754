with held_1 as (
    select
        cast(measured.value as double) as value,
        classes.records,
        case
            when
                measured.amount - measured.amount = 0 and measured.scale - measured.scale = 0
                and (measured.scale <> 0 or measured.amount = 0)
                and measured.amount * 1 >= measured.scale * 10 then 1
            else 0
        end as holds
    from "sqlanon_measured_k_anonymity" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
)

select
    'k_anonymity' as metric,
    cast(null as varchar) as attribute,
    min(held.value) as value,
    cast('10' as varchar) as threshold,
    coalesce(min(held.holds) = 1, false) as passed,
    cast(sum(1 - held.holds) as bigint) as failing_classes,
    cast(sum(held.records * (1 - held.holds)) as bigint) as failing_records,
    cast('higher' as varchar) as direction,
    cast('[1, n]' as varchar) as range,
    cast('Every class has at least k records.' as varchar) as sentence
from held_1 as held
