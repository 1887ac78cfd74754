-- relation: listed
-- grain: one row per leaf that the hierarchy lists
-- inputs: none
-- outputs: level_*
-- paper: none
select
    listed.level_0,
    listed.level_1
from (
    values
    ('flu', 'respiratory'),
    ('cold', 'respiratory'),
    ('ulcer', 'stomach'),
    ('gastritis', 'stomach')
) as listed (level_0, level_1)
