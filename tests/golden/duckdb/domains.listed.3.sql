-- relation: listed
-- grain: one row per leaf that the hierarchy lists
-- inputs: none
-- outputs: level_*
-- paper: none
-- The cast gives every engine text of one kind and one order.
select
    cast(listed.level_0 as varchar) as level_0,
    cast(listed.level_1 as varchar) as level_1
from (
    values
    ('flu', 'a'),
    ('cold', 'a'),
    ('ulcer', 'b'),
    ('gastritis', 'b')
) as listed (level_0, level_1)
