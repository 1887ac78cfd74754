with counted as (
    select
        units.s1 as code,
        count(*) as records
    from "sqlanon_units" as units
    group by units.s1
)

select
    positions.code,
    positions.value,
    coalesce(counted.records, 0) as records,
    positions.position
from "sqlanon_positions_s1" as positions
left join counted
    on positions.code = counted.code
