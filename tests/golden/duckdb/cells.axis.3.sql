-- relation: axis
-- grain: one row per value of a quasi-identifier
-- inputs: domain
-- outputs: code, axis
-- paper: none
-- Where a number or date lies, so that the length of an interval can be taken; a value of a listed
-- order lies at its place. NULL lies nowhere.
select
    domain.code,
    case when domain.code > 0 then cast(domain.code as double) end as axis
from "sqlanon_domain_q1" as domain
