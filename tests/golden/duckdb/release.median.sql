-- relation: centroids
-- grain: one row per class as formed
-- inputs: assigned, domain
-- outputs: class_id, label
-- paper: Domingo-Ferrer and Torra 2005, §3: mean, median and mode of an aggregate
-- One value of a quasi-identifier for the class; NULL where a value of fewer than k records, or persons,
-- is known.
-- The least value that half of those which are not NULL do not exceed.
with classes as (
    select
        assigned.class_id,
        case when count(case when assigned.q3 > 0 then 1 end) >= 10 then 1 else 0 end as enough
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

counted as (
    select
        assigned.class_id,
        assigned.q3 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    where assigned.q3 > 0
    group by assigned.class_id, assigned.q3
),

ranked as (
    select
        counted.class_id,
        counted.code,
        sum(counted.records) over (
            partition by counted.class_id order by counted.code rows unbounded preceding
        ) as upto,
        sum(counted.records) over (partition by counted.class_id) as records
    from counted
),

chosen as (
    select
        ranked.class_id,
        min(ranked.code) as code
    from ranked
    where 2 * ranked.upto >= ranked.records
    group by ranked.class_id
)

select
    classes.class_id,
    domain.value as label
from classes
left join chosen
    on classes.class_id = chosen.class_id and classes.enough = 1
left join "sqlanon_domain_q3" as domain
    on chosen.code = domain.code
