-- relation: departed
-- grain: one row per class of an earlier release of which somebody is not in this one
-- inputs: members, groups
-- outputs: class_id, persons
-- paper: none
-- How many of the class have left.
with sizes as (
    select
        members.class_id,
        count(*) as persons
    from "visits_first__members" as members
    group by members.class_id
),

stayed as (
    select
        groups.c1 as class_id,
        sum(groups.persons) as persons
    from "sqlanon_series_groups" as groups
    where groups.c1 > 0
    group by groups.c1
)

select
    sizes.class_id,
    cast(sizes.persons - coalesce(stayed.persons, 0) as bigint) as persons
from sizes
left join stayed
    on sizes.class_id = stayed.class_id
where sizes.persons > coalesce(stayed.persons, 0)
