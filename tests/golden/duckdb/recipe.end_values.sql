-- relation: end_values
-- grain: one row per value that cells begin or end with, NULL among them
-- inputs: shown
-- outputs: q*
-- paper: none
-- The values that the cells of a release begin and end with, in the type of the column; NULL where a cell stands
-- for NULL, alone or with others.
with ends as (
    select
        case
            when shown.p1 like '[%, %]' then substr(shown.p1, 2, strpos(shown.p1, ', ') - 2)
            when shown.p1 <> '*' then shown.p1
        end as value
    from "sqlanon_recipe" as shown
    union
    select
        case
            when shown.p1 like '[%, %]'
                then substr(shown.p1, strpos(shown.p1, ', ') + 2, length(shown.p1) - strpos(shown.p1, ', ') - 2)
            when shown.p1 <> '*' then shown.p1
        end as value
    from "sqlanon_recipe" as shown
)

select cast(ends.value as INTEGER) as q1
from ends
