with pads as (
    select getvariable('sqlanon_secret_1_inner') as value
    union all
    select getvariable('sqlanon_secret_1_outer') as value
)

select count(*) as missing
from pads
where pads.value is null
having count(*) > 0
