select
    recoded.p1,
    recoded.p2,
    domain_s1.value as s1,
    assigned.s2
from "sqlanon_guarded_assigned" as assigned
inner join "sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
inner join "sqlanon_domain_s1" as domain_s1
    on assigned.s1 = domain_s1.code
