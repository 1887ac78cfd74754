-- relation: check_median
-- grain: one row if a class's centroid is not what it is said to be
-- inputs: assigned, domain, centroids
-- outputs: classes
-- paper: none
-- By the definition, and not as it was found. Of a class in which fewer than k records, or persons, have a
-- value none is published.
-- Fewer than half of the values lie below it, and half of them at least do not lie above it.
with counted as (
    select
        assigned.class_id,
        assigned.q4 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    group by assigned.class_id, assigned.q4
),

told as (
    select
        assigned.class_id,
        assigned.q4 as code
    from "sqlanon_assigned" as assigned
),

holders as (
    select
        told.class_id,
        cast(sum(case when told.code > 0 then 1 else 0 end) as bigint) as known
    from told
    group by told.class_id
),

own as (
    select
        centroids.class_id,
        domain.code
    from "sqlanon_centroids_q4" as centroids
    inner join "sqlanon_domain_q4" as domain
        on centroids.label is not distinct from domain.level_0
    where domain.records > 0
),

judged as (
    select
        counted.class_id,
        sum(case when counted.code > 0 then counted.records else 0 end) as records,
        sum(case when counted.code > 0 and counted.code < own.code then counted.records else 0 end) as below,
        sum(case when counted.code > 0 and counted.code <= own.code then counted.records else 0 end) as upto
    from counted
    left join own
        on counted.class_id = own.class_id
    group by counted.class_id
)

select count(*) as classes
from judged
inner join holders
    on judged.class_id = holders.class_id
inner join "sqlanon_centroids_q4" as centroids
    on judged.class_id = centroids.class_id
where
    case
        when holders.known < 10 then centroids.label is not null
        else 2 * judged.below >= judged.records or 2 * judged.upto < judged.records
    end
having count(*) > 0
