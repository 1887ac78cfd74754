-- relation: amounts
-- grain: one row per group of persons who are in a release
-- inputs: released, grouped
-- outputs: number, amount
-- paper: none
-- How many different values of a sensitive attribute the rows of the group show, NULL being one.
with shown as (
    select
        grouped.number,
        cast(released."pain" as varchar) as value
    from "linked_second" as released
    inner join "sqlanon_linked_grouped" as grouped
        on released."nr" = grouped.name
    group by grouped.number, cast(released."pain" as varchar)
)

select
    shown.number,
    count(*) as amount
from shown
group by shown.number
