select
    tuples.tuple,
    source."disease" as value,
    cast(source."p" as double) as probability
from "sqlanon_tuples_b1" as tuples
inner join "sqlanon_domain_q2" as domain_q2
    on tuples.q2 = domain_q2.code
inner join "prevalence" as source
    on
        domain_q2.value is not distinct from source."sex"
