-- relation: quasi_identifiers
-- grain: one row per record
-- inputs: assigned, groups, domain_*
-- outputs: *
-- paper: Xiao & Tao 2006, definition 3 (the quasi-identifier table)
-- Every record's own values and the number of its group, in the order of just that.
select
    formed.group_id as "group_id",
    domain_q1.value as "age",
    domain_q2.value as "sex",
    assigned.x1 as "ward"
from "sqlanon_assigned" as assigned
inner join "sqlanon_groups" as formed
    on assigned.class_id = formed.class_id
inner join "sqlanon_domain_q1" as domain_q1
    on assigned.q1 = domain_q1.code
inner join "sqlanon_domain_q2" as domain_q2
    on assigned.q2 = domain_q2.code
order by
    formed.group_id,
    assigned.q1,
    assigned.q2,
    assigned.x1
