-- relation: sliced
-- grain: one row per record
-- inputs: placed, shuffled_*, domain_*
-- outputs: *
-- paper: Kiruthika & Raseen, §5
-- As many rows as records in every group; each slice of a row is some record's of its group. In the
-- order of just that.
select
    placed.group_id as "group_id",
    domain_q1.value as "sex",
    domain_q2.value as "town",
    case when placed.q3 = -1 then '*' else domain_q3.level_0 end as "age",
    case when placed.q4 = -1 then '*' else domain_q4.level_0 end as "zip",
    domain_s1.value as "disease"
from "sqlanon_placed" as placed
inner join "sqlanon_shuffled_q2" as shuffled_q2
    on placed.group_id = shuffled_q2.group_id and placed.place = shuffled_q2.place
inner join "sqlanon_shuffled_s1" as shuffled_s1
    on placed.group_id = shuffled_s1.group_id and placed.place = shuffled_s1.place
inner join "sqlanon_domain_q1" as domain_q1
    on placed.q1 = domain_q1.code
inner join "sqlanon_domain_q2" as domain_q2
    on shuffled_q2.q2 = domain_q2.code
left join "sqlanon_domain_q3" as domain_q3
    on placed.q3 = domain_q3.code
left join "sqlanon_domain_q4" as domain_q4
    on placed.q4 = domain_q4.code
inner join "sqlanon_domain_s1" as domain_s1
    on shuffled_s1.s1 = domain_s1.code
order by
    placed.group_id,
    placed.q1,
    shuffled_q2.q2,
    placed.q3,
    placed.q4,
    shuffled_s1.s1
