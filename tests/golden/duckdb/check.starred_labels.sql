-- relation: labels
-- grain: one row per label of the hierarchy and stretch of codes below it
-- inputs: domain
-- outputs: label, low, high
-- paper: none
-- Where a cell is a value or suppressed: what is suppressed may be any value, or NULL.
select
    domain.level_0 as label,
    domain.code as low,
    domain.code as high
from "sqlanon_external_domain_q3" as domain
union all
select
    '*' as label,
    min(domain.code) as low,
    max(domain.code) as high
from "sqlanon_external_domain_q3" as domain
