-- relation: labels
-- grain: one row per label of the hierarchy and stretch of codes below it
-- inputs: domain
-- outputs: label, low, high
-- paper: none
-- Which codes a published label stands for; those below a group are neighbours.
select
    domain.level_0 as label,
    min(domain.code) as low,
    max(domain.code) as high
from "sqlanon_domain_q5" as domain
group by domain.level_0, domain.node_0
union
select
    '*' as label,
    min(domain.code) as low,
    max(domain.code) as high
from "sqlanon_domain_q5" as domain
