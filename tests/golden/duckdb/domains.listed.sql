select
    cast(listed.level_0 as varchar) as level_0
from (
    values
    ('Male'),
    ('Female')
) as listed (level_0)
