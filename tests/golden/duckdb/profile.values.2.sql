-- relation: profile_values
-- grain: one row per value of a column
-- inputs: records
-- outputs: place, value, number, length, records
-- paper: none
-- Everything that is said of one column alone is counted here, so that the records are read once.
-- The value is that of a text; the number is what it says, if it says one. Text of more digits than any
-- code has says none.
with counted as (
    select
        1 as place,
        cast(null as varchar) as value,
        cast(records.x1 as double) as number,
        length(cast(records.x1 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x1 is not null
    group by records.x1

)

select
    counted.place,
    counted.value,
    case
        when counted.number is not null then counted.number
        when regexp_matches(counted.value, '^ *[-+]?[0-9]{1,12}([.][0-9]{1,6})? *$')
            then cast(trim(counted.value) as double)
    end as number,
    counted.length,
    counted.records
from counted
