-- relation: set_members
-- grain: one row per class and member of its set; the code is NULL where the source has no such value
-- inputs: classes, domain
-- outputs: class_id, code
-- paper: none
-- A set read back: {a, b}, a comma inside a value as %2C, a percent sign as %25; one value stands alone.
with known as (
    select
        domain.code,
        domain.level_0 as label,
        case
            when domain.level_0 is null then 'NULL'
            when domain.level_0 = 'NULL' then '%4EULL'
            else replace(replace(domain.level_0, '%', '%25'), ',', '%2C')
        end as member,
        case when domain.level_0 = '*' or left(domain.level_0, 1) = '{' then 1 else 0 end as ambiguous
    from "sqlanon_domain_q6" as domain
),

listed as (
    select
        classes.class_id,
        unnest(string_split(substr(classes.p6, 2, length(classes.p6) - 2), ', ')) as member
    from "sqlanon_shown_classes" as classes
    where left(classes.p6, 1) = '{' and right(classes.p6, 1) = '}'
)

select
    listed.class_id,
    known.code
from listed
left join known
    on listed.member = known.member
union all
select
    classes.class_id,
    known.code
from "sqlanon_shown_classes" as classes
inner join known
    on
        nullif(cast(classes.p6 as varchar), '')
        is not distinct from nullif(cast(known.label as varchar), '')
        and known.ambiguous = 0
