-- relation: beside
-- grain: one row per record
-- inputs: assigned, recoded, domain_*
-- outputs: p*, s*, x*
-- paper: none
-- What the release says of every record, with the person beside it whom no release names: on this,
-- persons are counted. It is held against the release and against the source, row by row.
select
    recoded.p1,
    recoded.p2,
    domain_s1.value as s1,
    domain_s2.value as s2,
    assigned.x0
from "sqlanon_followed" as assigned
inner join "sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
inner join "sqlanon_domain_s1" as domain_s1
    on assigned.s1 = domain_s1.code
inner join "sqlanon_domain_s2" as domain_s2
    on assigned.s2 = domain_s2.code
