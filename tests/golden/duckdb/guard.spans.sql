-- relation: spans
-- grain: one row per label of the hierarchy
-- inputs: domain
-- outputs: label, low, high
-- paper: none
-- The leaves are numbered depth first: those under a node are from its first to its last. NULL, which
-- has code 0, lies under the root alone.
with labelled as (
    select
        domain.level_0 as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_s1" as domain
    where domain.level_0 is not null
    group by domain.level_0
    union all
    select
        domain.level_1 as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_s1" as domain
    where domain.level_1 is not null
    group by domain.level_1
    union all
    select
        '*' as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_s1" as domain
)

select
    labelled.label,
    cast(min(labelled.low) as integer) as low,
    cast(max(labelled.high) as integer) as high
from labelled
group by labelled.label
