-- relation: end_values
-- grain: one row per value that cells begin or end with, NULL among them
-- inputs: shown
-- outputs: q*
-- paper: none
-- The values that the cells of a release begin and end with, in the type of the column; NULL where a cell stands
-- for NULL, alone or with others.
with ends as (
    select shown.p2 as value
    from "sqlanon_recipe" as shown
    union
    select shown.p3 as value
    from "sqlanon_recipe" as shown
)

select cast(ends.value as BIGINT) as q2
from ends
