-- relation: check_short
-- grain: one row if persons cannot be published
-- inputs: short, grouped
-- outputs: persons, groups
-- paper: none
select
    count(*) as persons,
    count(distinct short.number) as groups
from "sqlanon_linked_short" as short
inner join "sqlanon_earlier_grouped" as grouped
    on short.number = grouped.number
having count(*) > 0
