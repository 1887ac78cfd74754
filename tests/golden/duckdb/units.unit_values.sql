select
    domain_s1.value as s1
from "sqlanon_units" as units
inner join "sqlanon_domain_s1" as domain_s1
    on units.s1 = domain_s1.code
