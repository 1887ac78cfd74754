with ends as (
    select
        near.pair,
        near.class_id
    from "sqlanon_micro_near" as near
    union all
    select
        near.pair,
        near.into_class as class_id
    from "sqlanon_micro_near" as near
)

select
    ends.pair as class_id,
    formed.s1,
    formed.records
from ends
inner join "sqlanon_micro_formed" as formed
    on ends.class_id = formed.class_id
