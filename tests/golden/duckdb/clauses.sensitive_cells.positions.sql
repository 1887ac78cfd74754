select
    domain.code,
    domain.code as value,
    domain.records,
    row_number() over (order by domain.code) as position
from "sqlanon_domain_q1" as domain
