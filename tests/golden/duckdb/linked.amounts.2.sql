-- relation: amounts
-- grain: one row per group of persons who are in a release
-- inputs: released, grouped
-- outputs: number, amount
-- paper: none
-- How many different values of a sensitive attribute the rows of the group show, NULL being one; one where
-- all of its persons have one value, which is certain of each then, whatever else they have.
with persons as (
    select
        grouped.number,
        count(*) as persons
    from "sqlanon_linked_grouped" as grouped
    group by grouped.number
),

shown as (
    select
        grouped.number,
        cast(released."pain" as varchar) as value,
        count(distinct grouped.name) as persons
    from "linked_second" as released
    inner join "sqlanon_linked_grouped" as grouped
        on released."nr" = grouped.name
    group by grouped.number, cast(released."pain" as varchar)
)

select
    shown.number,
    case when max(shown.persons) >= max(persons.persons) then 1 else count(*) end as amount
from shown
inner join persons
    on shown.number = persons.number
group by shown.number
