-- relation: coded
-- grain: one row per record
-- inputs: records, domain_*
-- outputs: q*|s*, x*|k*|w*|g*
-- paper: none
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
    coalesce(domain_q1.code, 0) as q1,
    coalesce(domain_q2.code, 0) as q2,
    coalesce(domain_q3.code, 0) as q3,
    coalesce(domain_s1.code, 0) as s1,
    records.k1
from "sqlanon_records" as records
left join "sqlanon_domain_q1" as domain_q1
    on
        records.q1 = domain_q1.value
left join "sqlanon_domain_q2" as domain_q2
    on
        records.q2 = domain_q2.value
left join "sqlanon_domain_q3" as domain_q3
    on
        records.q3 = domain_q3.value
left join "sqlanon_domain_s1" as domain_s1
    on
        records.s1 = domain_s1.value
