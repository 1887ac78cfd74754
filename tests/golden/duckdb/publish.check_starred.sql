-- relation: check_starred
-- grain: one row if a value is written like a suppressed one
-- inputs: domain
-- outputs: records
-- paper: none
select cast(sum(domain.records) as bigint) as records
from "sqlanon_domain_q1" as domain
where domain.level_0 = '*' and domain.records > 0
having count(*) > 0
