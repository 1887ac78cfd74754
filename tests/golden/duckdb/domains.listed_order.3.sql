-- relation: listed
-- grain: one row per value of the declared order
-- inputs: none
-- outputs: code, level_0
-- paper: none
-- The cast gives every engine text of one kind and one order.
select
    listed.code,
    cast(listed.level_0 as varchar) as level_0
from (
    values
    (1, 'Male'),
    (2, 'Female')
) as listed (code, level_0)
