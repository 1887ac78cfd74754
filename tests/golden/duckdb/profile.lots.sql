with told as (
    select
        cast(records.x4 as varchar) as x4,
        cast(records.x6 as varchar) as x6,
        cast(records.x7 as varchar) as x7,
        cast(records.x8 as varchar) as x8,
        cast(records.x9 as varchar) as x9,
        cast(records.x10 as varchar) as x10,
        cast(records.x11 as varchar) as x11,
        cast(records.x12 as varchar) as x12
    from "sqlanon_records" as records
)

select
    cast(
        md5(
            ''
            || coalesce(told.x4, '~') || '|'
            || coalesce(told.x6, '~') || '|'
            || coalesce(told.x7, '~') || '|'
            || coalesce(told.x8, '~') || '|'
            || coalesce(told.x9, '~') || '|'
            || coalesce(told.x10, '~') || '|'
            || coalesce(told.x11, '~') || '|'
            || coalesce(told.x12, '~') || '|'
        ) as varchar
    ) as lot,
    told.x4,
    told.x6,
    told.x7,
    told.x8,
    told.x9,
    told.x10,
    told.x11,
    told.x12
from told
