-- relation: grouped
-- grain: one row per person
-- inputs: histories, groups
-- outputs: number, x0, w*
-- paper: none
-- Who is in which group.
select
    groups.number,
    histories.x0,
    histories.w1,
    histories.w2
from "sqlanon_series_histories" as histories
inner join "sqlanon_series_groups" as groups
    on
        histories.c0 = groups.c0
        and histories.c1 = groups.c1
