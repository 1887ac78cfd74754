select
    placed.group_id as "group_id",
    domain_q1.level_1 as "age",
    domain_q2.value as "town",
    domain_q3.value as "sex",
    domain_s1.value as "disease",
    domain_s2.value as "visits"
from "sqlanon_placed" as placed
inner join "sqlanon_shuffled_q3" as shuffled_q3
    on placed.group_id = shuffled_q3.group_id and placed.place = shuffled_q3.place
inner join "sqlanon_domain_q1" as domain_q1
    on placed.q1 = domain_q1.code
inner join "sqlanon_domain_q2" as domain_q2
    on placed.q2 = domain_q2.code
inner join "sqlanon_domain_q3" as domain_q3
    on shuffled_q3.q3 = domain_q3.code
inner join "sqlanon_domain_s1" as domain_s1
    on shuffled_q3.s1 = domain_s1.code
inner join "sqlanon_domain_s2" as domain_s2
    on shuffled_q3.s2 = domain_s2.code
order by
    placed.group_id,
    placed.q1,
    placed.q2,
    shuffled_q3.q3,
    shuffled_q3.s1,
    shuffled_q3.s2
