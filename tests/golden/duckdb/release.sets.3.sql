-- relation: sets
-- grain: one row per class as formed
-- inputs: assigned, domain
-- outputs: class_id, label
-- paper: none
-- The values of one quasi-identifier in the class, {a, b}; one value stands alone, unless it looks
-- like a set or like the star. A comma inside a value is written %2C, so that a set can be read back.
with members as (
    select
        assigned.class_id,
        assigned.q2 as code
    from "sqlanon_guard_grouped" as assigned
    group by assigned.class_id, assigned.q2
),

named as (
    select
        members.class_id,
        members.code,
        domain.level_0,
        case
            when domain.level_0 is null then 'NULL'
            when domain.level_0 = 'NULL' then '%4EULL'
            else replace(replace(domain.level_0, '%', '%25'), ',', '%2C')
        end as member,
        case when domain.level_0 = '*' or left(domain.level_0, 1) = '{' then 1 else 0 end as ambiguous
    from members
    inner join "sqlanon_domain_q2" as domain
        on members.code = domain.code
)

select
    named.class_id,
    case
        when count(*) = 1 and max(named.ambiguous) = 0 then min(named.level_0)
        else '{' || string_agg(named.member, ', ' order by named.code) || '}'
    end as label
from named
group by named.class_id
