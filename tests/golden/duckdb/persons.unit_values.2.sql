-- relation: unit_values
-- grain: one row per person
-- inputs: units, domain_*
-- outputs: s*
-- paper: none
-- The sensitive values of the record that stands for each person.
select
    domain_s1.value as s1,
    domain_s2.value as s2
from "sqlanon_fresh_units" as units
inner join "sqlanon_domain_s1" as domain_s1
    on units.s1 = domain_s1.code
inner join "sqlanon_domain_s2" as domain_s2
    on units.s2 = domain_s2.code
