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
    union all
    select
        2 as place,
        cast(null as varchar) as value,
        cast(records.x2 as double) as number,
        length(cast(records.x2 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x2 is not null
    group by records.x2
    union all
    select
        3 as place,
        cast(records.x3 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x3 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x3 is not null
    group by records.x3
    union all
    select
        4 as place,
        cast(null as varchar) as value,
        cast(records.x4 as double) as number,
        cast(null as bigint) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x4 is not null
    group by records.x4
    union all
    select
        5 as place,
        cast(null as varchar) as value,
        cast(null as double) as number,
        cast(null as bigint) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x5 is not null
    group by records.x5
    union all
    select
        6 as place,
        cast(records.x6 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x6 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x6 is not null
    group by records.x6
    union all
    select
        7 as place,
        cast(records.x7 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x7 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x7 is not null
    group by records.x7
    union all
    select
        8 as place,
        cast(null as varchar) as value,
        cast(records.x8 as double) as number,
        length(cast(records.x8 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x8 is not null
    group by records.x8
    union all
    select
        9 as place,
        cast(records.x9 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x9 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x9 is not null
    group by records.x9
    union all
    select
        10 as place,
        cast(records.x10 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x10 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x10 is not null
    group by records.x10
    union all
    select
        11 as place,
        cast(null as varchar) as value,
        cast(records.x11 as double) as number,
        length(cast(records.x11 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x11 is not null
    group by records.x11
    union all
    select
        12 as place,
        cast(records.x12 as varchar) as value,
        cast(null as double) as number,
        length(cast(records.x12 as varchar)) as length,
        count(*) as records
    from "sqlanon_records" as records
    where records.x12 is not null
    group by records.x12

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
