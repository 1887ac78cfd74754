-- relation: tried
-- grain: one row per cell and pair of classes and class of the pair that holds records of it
-- inputs: near, formed
-- outputs: class_id, s*|b*, records
-- paper: none
-- What the classes of each pair would be together, as one class that goes by the pair.
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
