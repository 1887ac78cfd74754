-- relation: given
-- grain: one row per tuple and row of the table that says something of it
-- inputs: tuples, source, domain_*
-- outputs: tuple, value, probability
-- paper: none
-- What a foreign table says of the tuples that the records have, as it stands there; of no other.
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
