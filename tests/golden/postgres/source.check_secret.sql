with pads as (
    select nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_inner', true), '') as value
    union all
    select nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_outer', true), '') as value
)

select count(*) as missing
from pads
where pads.value is null
having count(*) > 0
