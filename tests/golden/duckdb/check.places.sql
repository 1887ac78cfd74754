-- relation: places
-- grain: one row per value of a quasi-identifier in the source
-- inputs: domain
-- outputs: code, place
-- paper: none
-- In which of so many parts of about as many records the value lies.
with cumulated as (
    select
        domain.code,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
        - domain.records as before,
        cast(sum(domain.records) over () as bigint) as total
    from "sqlanon_domain_q1" as domain
)

select
    cumulated.code,
    cast(floor(cast(cumulated.before as double) * 2 / cumulated.total) as integer) as place
from cumulated
where cumulated.before < cumulated.total
