-- relation: buckets
-- grain: one row per value of a quasi-identifier
-- inputs: domain
-- outputs: code, bucket
-- paper: none
-- The value's place among all records, cut into equal shares: the middle of its stretch of the
-- cumulated frequencies. A share holds about as many records as any other, whatever the skew.
with cumulated as (
    select
        domain.code,
        domain.records,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as reached,
        cast(sum(domain.records) over () as bigint) as total
    from "sqlanon_domain_q3" as domain
),

middles as (
    select
        cumulated.code,
        (2 * cumulated.reached - cumulated.records) * 8 as scaled_middle,
        2 * cumulated.total as scale
    from cumulated
    where cumulated.records > 0
)

select
    middles.code,
    cast((middles.scaled_middle - middles.scaled_middle % middles.scale) / middles.scale as integer) as bucket
from middles
