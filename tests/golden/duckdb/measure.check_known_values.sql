with used as (
    select
        measured.s1 as value,
        count(*) as records
    from "sqlanon_tied" as measured
    group by measured.s1
)

select
    count(*) as unknown,
    cast(sum(used.records) as bigint) as records
from used
left join "sqlanon_positions_s1" as positions
    on
        used.value is not distinct from positions.value
        and (positions.records > 0)
where positions.code is null
having count(*) > 0
