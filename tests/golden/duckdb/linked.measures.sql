-- relation: measures
-- grain: one row per measure
-- inputs: groups, amounts_*
-- outputs: measure, attribute, threshold, value, failing_groups, failing_persons
-- paper: Nergiz, Clifton & Nergiz 2009, multirelational k-anonymity and l-diversity, §3
-- What the join of all releases leaves, of everybody who is in one of them: of the worst group, beside what
-- is asked for.
select
    'joined_candidates' as measure,
    cast(null as varchar) as attribute,
    cast(10 as bigint) as threshold,
    cast(min(groups.persons) as bigint) as value,
    cast(coalesce(sum(case when groups.persons < 10 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when groups.persons < 10 then groups.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_linked_groups" as groups
union all
select
    'joined_values' as measure,
    'pain' as attribute,
    cast(2 as bigint) as threshold,
    cast(min(coalesce(amounts_1.amount, 0)) as bigint) as value,
    cast(coalesce(sum(case when coalesce(amounts_1.amount, 0) < 2 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when coalesce(amounts_1.amount, 0) < 2 then groups.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_linked_groups" as groups
left join "sqlanon_linked_amounts_1" as amounts_1
    on groups.number = amounts_1.number
where groups.c0 > 0
union all
select
    'joined_values' as measure,
    'disease in linked_first' as attribute,
    cast(null as bigint) as threshold,
    cast(min(coalesce(amounts_2.amount, 0)) as bigint) as value,
    cast(coalesce(sum(case when coalesce(amounts_2.amount, 0) < 0 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when coalesce(amounts_2.amount, 0) < 0 then groups.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_linked_groups" as groups
left join "sqlanon_linked_amounts_2" as amounts_2
    on groups.number = amounts_2.number
where groups.c1 > 0
union all
select
    'joined_parted' as measure,
    'disease in linked_first' as attribute,
    cast(0 as bigint) as threshold,
    cast(count(*) as bigint) as value,
    cast(count(*) as bigint) as failing_groups,
    cast(coalesce(sum(parted.persons), 0) as bigint) as failing_persons
from (
    select sum(groups.persons) as persons
    from "sqlanon_linked_groups" as groups
    where groups.c1 > 0
    group by
        groups.c1
    having count(*) > 1
) as parted
