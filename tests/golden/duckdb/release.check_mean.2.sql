-- relation: check_mean
-- grain: one row if a class's centroid is not what it is said to be
-- inputs: assigned, domain, centroids
-- outputs: classes
-- paper: none
-- By the definition, and not as it was found. Of a class in which fewer than k records, or persons, have a
-- value none is published.
-- A mean is less than half a unit of the last digit above the exact one, and at most that below:
-- 2nM - n <= 2 total < 2nM + n.
with counted as (
    select
        assigned.class_id,
        assigned.q2 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    group by assigned.class_id, assigned.q2
),

told as (
    select
        assigned.class_id,
        assigned.q2 as code
    from "sqlanon_assigned" as assigned
),

holders as (
    select
        told.class_id,
        cast(sum(case when told.code > 0 then 1 else 0 end) as bigint) as known
    from told
    group by told.class_id
),

sums as (
    select
        counted.class_id,
        cast(coalesce(sum(case when domain.value is not null then counted.records end), 0) as decimal(38, 0)) as records,
        cast(sum(counted.records * cast(domain.value * 100 as decimal(38, 0))) as decimal(38, 0)) as total
    from counted
    inner join "sqlanon_domain_q2" as domain
        on counted.code = domain.code
    group by counted.class_id
),

judged as (
    select
        sums.class_id,
        sums.records,
        sums.total,
        holders.known,
        cast(centroids.label * 100 as decimal(38, 0)) as amount
    from sums
    inner join holders
        on sums.class_id = holders.class_id
    left join "sqlanon_centroids_q2" as centroids
        on sums.class_id = centroids.class_id
)

select count(*) as classes
from judged
where
    case
        when judged.known < 10 then judged.amount is not null
        when judged.amount is null then true
        else
            2 * judged.records * judged.amount - judged.records > 2 * judged.total
            or 2 * judged.total >= 2 * judged.records * judged.amount + judged.records
    end
having count(*) > 0
