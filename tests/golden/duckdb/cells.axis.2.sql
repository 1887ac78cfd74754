-- relation: axis
-- grain: one row per value of a quasi-identifier
-- inputs: domain
-- outputs: code, axis
-- paper: none
-- Where a number or date lies, so that the length of an interval can be taken; a value of a listed
-- order lies at its place. NULL lies nowhere.
select
    domain.code,
    cast(extract(epoch from cast(domain.value as timestamp)) as double) as axis
from "sqlanon_domain_q3" as domain
