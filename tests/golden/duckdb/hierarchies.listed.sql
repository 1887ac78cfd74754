-- relation: listed
-- grain: one row per leaf that the hierarchy lists
-- inputs: none
-- outputs: level_*
-- paper: none
select
    listed.level_0
from (
    values
    ('Male'),
    ('Female')
) as listed (level_0)
