-- relation: suppressed
-- grain: one row per declared model
-- inputs: classes
-- outputs: metric, attribute, threshold, classes, records
-- paper: none
-- How many classes and records were left out because of each model: a class counts for the first model
-- that it does not meet.
with models as (
    select
        1 as place,
        'k_anonymity' as metric,
        cast(null as varchar) as attribute,
        '5' as threshold
    union all
    select
        2 as place,
        'distinct_l' as metric,
        cast('disease' as varchar) as attribute,
        '2' as threshold
    union all
    select
        3 as place,
        't_closeness' as metric,
        cast('disease' as varchar) as attribute,
        '0.4' as threshold

),

failed as (
    select
        classes.failed as place,
        count(distinct classes.class_id) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_tuple_classes" as classes
    where classes.failed is not null
    group by classes.failed
)

select
    models.metric,
    models.attribute,
    models.threshold,
    coalesce(failed.classes, 0) as classes,
    coalesce(failed.records, 0) as records
from models
left join failed
    on models.place = failed.place
order by models.place
