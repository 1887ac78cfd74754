with counted as (
    select
        1 as column_number,
        cast(null as varchar) as value,
        cast(records.x1 as double) as number,
        length(cast(records.x1 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x1 is not null
    group by records.x1

)

select
    counted.column_number,
    counted.value,
    case
        when counted.number is not null then counted.number
        when regexp_matches(counted.value, '^ *[-+]?[0-9]{1,12}([.][0-9]{1,6})? *$')
            then cast(trim(counted.value) as double)
    end as number,
    counted.length,
    counted.records
from counted
