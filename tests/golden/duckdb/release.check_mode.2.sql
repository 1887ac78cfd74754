-- relation: check_mode
-- grain: one row if a class's centroid is not what it is said to be
-- inputs: assigned, domain, centroids
-- outputs: classes
-- paper: none
-- By the definition, and not as it was found. Of a class in which fewer than k records, or persons, have a
-- value none is published.
-- No value is more frequent, and none before it as frequent.
with counted as (
    select
        assigned.class_id,
        assigned.q6 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    group by assigned.class_id, assigned.q6
),

told as (
    select
        assigned.class_id,
        assigned.q6 as code
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
    from "sqlanon_centroids_q6" as centroids
    inner join "sqlanon_domain_q6" as domain
        on centroids.label is not distinct from domain.value
    where domain.records > 0
),

judged as (
    select
        counted.class_id,
        max(case when counted.code = own.code then counted.records else 0 end) as most,
        max(case when counted.code < own.code then counted.records else 0 end) as most_before,
        max(counted.records) as most_of_all
    from counted
    left join own
        on counted.class_id = own.class_id
    group by counted.class_id
)

select count(*) as classes
from judged
inner join holders
    on judged.class_id = holders.class_id
inner join "sqlanon_centroids_q6" as centroids
    on judged.class_id = centroids.class_id
where
    case
        when holders.known < 10 then centroids.label is not null
        else judged.most < judged.most_of_all or judged.most_before >= judged.most
    end
having count(*) > 0
