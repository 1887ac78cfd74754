-- relation: centroids
-- grain: one row per class as formed
-- inputs: assigned, domain
-- outputs: class_id, label
-- paper: Domingo-Ferrer and Torra 2005, §3: mean, median and mode of an aggregate
-- One value of a quasi-identifier for the class; NULL where a value of fewer than k records, or persons,
-- is known.
-- The most frequent value, NULL being one; of several the first in order.
with classes as (
    select
        assigned.class_id,
        case when count(case when assigned.q6 > 0 then 1 end) >= 10 then 1 else 0 end as enough
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

counted as (
    select
        assigned.class_id,
        assigned.q6 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    group by assigned.class_id, assigned.q6
),

most as (
    select
        counted.class_id,
        max(counted.records) as records
    from counted
    group by counted.class_id
),

chosen as (
    select
        counted.class_id,
        min(counted.code) as code
    from counted
    inner join most
        on counted.class_id = most.class_id and counted.records = most.records
    group by counted.class_id
)

select
    classes.class_id,
    domain.value as label
from classes
left join chosen
    on classes.class_id = chosen.class_id and classes.enough = 1
left join "sqlanon_domain_q6" as domain
    on chosen.code = domain.code
