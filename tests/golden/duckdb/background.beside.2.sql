-- relation: beside
-- grain: one row per record
-- inputs: assigned, recoded, domain_*, profiles_*
-- outputs: p*, s*, x*, b*
-- paper: none
-- What the release says of every record, with the profile beside it of what is known of it, and with
-- its value and what it guards as one code. It is held against the release and against the source.
select
    recoded.p1,
    recoded.p2,
    domain_s1.value as s1,
    domain_s2.value as s2,
    profiles_b1.code as b1,
    profiles_b2.code as b2
from "sqlanon_apart_assigned" as assigned
inner join "sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
inner join "sqlanon_domain_s1" as domain_s1
    on assigned.s1 = domain_s1.code
inner join "sqlanon_domain_s2" as domain_s2
    on assigned.s2 = domain_s2.code
inner join "sqlanon_profiles_b1" as profiles_b1
    on
        assigned.q1 = profiles_b1.q1
        and assigned.q2 = profiles_b1.q2
inner join "sqlanon_profiles_b2" as profiles_b2
    on
        assigned.q1 = profiles_b2.q1
        and assigned.q2 = profiles_b2.q2
