with counted as (
    select
        tuples.tuple,
        coded.s1 as code,
        count(*) as records
    from "sqlanon_coded" as coded
    inner join "sqlanon_tuples_b1" as tuples
        on
            coded.q1 = tuples.q1
    group by tuples.tuple, coded.s1
),

whole as (
    select cast(sum(tuples.records) as bigint) as records
    from "sqlanon_tuples_b1" as tuples
),

shares as (
    select
        counted.code,
        sum(counted.records) as records
    from counted
    group by counted.code
),

estimates as (
    select
        tuples.tuple,
        shares.code,
        (
            cast(coalesce(counted.records, 0) as decimal(38, 0)) * whole.records * 1
            + cast(shares.records as decimal(38, 0)) * 1
        ) as amount,
        (
            (cast(tuples.records as decimal(38, 0)) * 1 + 1)
            * whole.records
        ) as scale
    from "sqlanon_tuples_b1" as tuples
    cross join whole
    cross join shares
    left join counted
        on tuples.tuple = counted.tuple and shares.code = counted.code
),

weighed as (
    select
        estimates.tuple,
        cast(estimates.code as bigint) as code,
        cast(floor(cast(estimates.amount as double) / cast(estimates.scale as double) * 1e12 + 0.5e0) as bigint) as weight
    from estimates
)

select
    weighed.tuple,
    weighed.code,
    weighed.weight
from weighed
where weighed.weight > 0
