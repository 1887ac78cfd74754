select
    domain.code,
    domain.code as value,
    domain.records,
    row_number() over (order by domain.code) as position,
    domain.node_0
from "sqlanon_domain_q2" as domain
