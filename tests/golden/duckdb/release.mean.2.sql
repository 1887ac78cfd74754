-- relation: centroids
-- grain: one row per class as formed
-- inputs: assigned, domain
-- outputs: class_id, label
-- paper: Domingo-Ferrer and Torra 2005, §3: mean, median and mode of an aggregate
-- One value of a quasi-identifier for the class; NULL where a value of fewer than k records, or persons,
-- is known.
-- The mean of what is not NULL, in units of the last digit, rounded half up: the whole part of
-- (2 total + n) / 2n, counted from the least value of the class so that nothing is negative.
with classes as (
    select
        assigned.class_id,
        case when count(case when assigned.q2 > 0 then 1 end) >= 10 then 1 else 0 end as enough
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

counted as (
    select
        assigned.class_id,
        assigned.q2 as code,
        count(*) as records
    from "sqlanon_assigned" as assigned
    where assigned.q2 > 0
    group by assigned.class_id, assigned.q2
),

amounts as (
    select
        counted.class_id,
        cast(counted.records as decimal(38, 0)) as records,
        cast(domain.value * 100 as decimal(38, 0)) as amount
    from counted
    inner join "sqlanon_domain_q2" as domain
        on counted.code = domain.code
),

totals as (
    select
        amounts.class_id,
        min(amounts.amount) as least,
        cast(sum(amounts.records) as decimal(38, 0)) as records,
        cast(sum(amounts.records * amounts.amount) as decimal(38, 0)) as total
    from amounts
    group by amounts.class_id
),

above_least as (
    select
        totals.class_id,
        totals.least,
        2 * totals.records as twice,
        2 * (totals.total - totals.records * totals.least) + totals.records as amount
    from totals
),

means as (
    select
        above_least.class_id,
        above_least.least + cast(
            (above_least.amount - above_least.amount % above_least.twice) / above_least.twice as decimal(38, 0)
        ) as amount
    from above_least
)

select
    classes.class_id,
    cast(means.amount * 0.01 as decimal(9, 2)) as label
from classes
left join means
    on classes.class_id = means.class_id and classes.enough = 1
