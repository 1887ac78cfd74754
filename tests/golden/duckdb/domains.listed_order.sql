select
    listed.code,
    cast(listed.level_0 as varchar) as level_0
from (
    values
    (1, 'Male'),
    (2, 'Female')
) as listed (code, level_0)
