-- relation: grouped
-- grain: one row per person
-- inputs: histories, groups
-- outputs: number, name
-- paper: none
-- Who is in which group of those whom a reader of the join cannot tell apart by their cells.
select
    groups.number,
    histories.name
from "sqlanon_linked_before_histories" as histories
inner join "sqlanon_linked_before_groups" as groups
    on
        histories.c0 = groups.c0
        and histories.c1 = groups.c1
