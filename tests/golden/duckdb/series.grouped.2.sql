-- relation: grouped
-- grain: one row per person
-- inputs: histories, groups, persons
-- outputs: number, x0, w*
-- paper: none
-- Who is in which group.
select
    groups.number,
    persons.x0,
    persons.w1,
    persons.w2
from "sqlanon_series_histories" as histories
inner join "sqlanon_series_groups" as groups
    on
        histories.c0 = groups.c0
        and histories.c1 = groups.c1
inner join "sqlanon_persons" as persons
    on histories.x0 = persons.x0
