-- relation: set_values
-- grain: one row per value that cells have, NULL among them
-- inputs: shown
-- outputs: q*
-- paper: none
-- The members of the sets of a release, in the type of the column: {a, b}, a comma inside a value as %2C, a
-- percent sign as %25; a cell that is no set is a value by itself.
with cells as (
    select distinct shown.p2 as cell
    from "sqlanon_recipe" as shown
),

listed as (
    select unnest(string_to_array(substr(cells.cell, 2, length(cells.cell) - 2), ', ')) as member
    from cells
    where left(cells.cell, 1) = '{' and right(cells.cell, 1) = '}'
),

texts as (
    select
        case
            when listed.member = '%4EULL' then 'NULL'
            when listed.member <> 'NULL' then replace(replace(listed.member, '%2C', ','), '%25', '%')
        end as value
    from listed
    union
    select cells.cell as value
    from cells
    where not coalesce(left(cells.cell, 1) = '{' and right(cells.cell, 1) = '}', false)
)

select cast(texts.value as VARCHAR) as q2
from texts
