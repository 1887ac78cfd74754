with told as (
    select
        case
            when pg_typeof(records.x4) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x4 as text)
            when cast(records.x4 as text) = 'NaN' then 'nan'
            when cast(records.x4 as text) = 'Infinity' then 'inf'
            when cast(records.x4 as text) = '-Infinity' then '-inf'
            when cast(records.x4 as text) in ('0', '-0') then cast(records.x4 as text) || '.0'
            when
                abs(cast(cast(records.x4 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x4 as text) as numeric)) >= 10000000000000000
                then cast(records.x4 as text)
            when strpos(cast(cast(cast(records.x4 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x4 as text) as numeric) as text)
            else cast(cast(cast(records.x4 as text) as numeric) as text) || '.0'
        end collate "C" as x4,
        case
            when pg_typeof(records.x6) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x6 as text)
            when cast(records.x6 as text) = 'NaN' then 'nan'
            when cast(records.x6 as text) = 'Infinity' then 'inf'
            when cast(records.x6 as text) = '-Infinity' then '-inf'
            when cast(records.x6 as text) in ('0', '-0') then cast(records.x6 as text) || '.0'
            when
                abs(cast(cast(records.x6 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x6 as text) as numeric)) >= 10000000000000000
                then cast(records.x6 as text)
            when strpos(cast(cast(cast(records.x6 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x6 as text) as numeric) as text)
            else cast(cast(cast(records.x6 as text) as numeric) as text) || '.0'
        end collate "C" as x6,
        case
            when pg_typeof(records.x7) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x7 as text)
            when cast(records.x7 as text) = 'NaN' then 'nan'
            when cast(records.x7 as text) = 'Infinity' then 'inf'
            when cast(records.x7 as text) = '-Infinity' then '-inf'
            when cast(records.x7 as text) in ('0', '-0') then cast(records.x7 as text) || '.0'
            when
                abs(cast(cast(records.x7 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x7 as text) as numeric)) >= 10000000000000000
                then cast(records.x7 as text)
            when strpos(cast(cast(cast(records.x7 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x7 as text) as numeric) as text)
            else cast(cast(cast(records.x7 as text) as numeric) as text) || '.0'
        end collate "C" as x7,
        case
            when pg_typeof(records.x8) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x8 as text)
            when cast(records.x8 as text) = 'NaN' then 'nan'
            when cast(records.x8 as text) = 'Infinity' then 'inf'
            when cast(records.x8 as text) = '-Infinity' then '-inf'
            when cast(records.x8 as text) in ('0', '-0') then cast(records.x8 as text) || '.0'
            when
                abs(cast(cast(records.x8 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x8 as text) as numeric)) >= 10000000000000000
                then cast(records.x8 as text)
            when strpos(cast(cast(cast(records.x8 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x8 as text) as numeric) as text)
            else cast(cast(cast(records.x8 as text) as numeric) as text) || '.0'
        end collate "C" as x8,
        case
            when pg_typeof(records.x9) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x9 as text)
            when cast(records.x9 as text) = 'NaN' then 'nan'
            when cast(records.x9 as text) = 'Infinity' then 'inf'
            when cast(records.x9 as text) = '-Infinity' then '-inf'
            when cast(records.x9 as text) in ('0', '-0') then cast(records.x9 as text) || '.0'
            when
                abs(cast(cast(records.x9 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x9 as text) as numeric)) >= 10000000000000000
                then cast(records.x9 as text)
            when strpos(cast(cast(cast(records.x9 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x9 as text) as numeric) as text)
            else cast(cast(cast(records.x9 as text) as numeric) as text) || '.0'
        end collate "C" as x9,
        case
            when pg_typeof(records.x10) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x10 as text)
            when cast(records.x10 as text) = 'NaN' then 'nan'
            when cast(records.x10 as text) = 'Infinity' then 'inf'
            when cast(records.x10 as text) = '-Infinity' then '-inf'
            when cast(records.x10 as text) in ('0', '-0') then cast(records.x10 as text) || '.0'
            when
                abs(cast(cast(records.x10 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x10 as text) as numeric)) >= 10000000000000000
                then cast(records.x10 as text)
            when strpos(cast(cast(cast(records.x10 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x10 as text) as numeric) as text)
            else cast(cast(cast(records.x10 as text) as numeric) as text) || '.0'
        end collate "C" as x10,
        case
            when pg_typeof(records.x11) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x11 as text)
            when cast(records.x11 as text) = 'NaN' then 'nan'
            when cast(records.x11 as text) = 'Infinity' then 'inf'
            when cast(records.x11 as text) = '-Infinity' then '-inf'
            when cast(records.x11 as text) in ('0', '-0') then cast(records.x11 as text) || '.0'
            when
                abs(cast(cast(records.x11 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x11 as text) as numeric)) >= 10000000000000000
                then cast(records.x11 as text)
            when strpos(cast(cast(cast(records.x11 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x11 as text) as numeric) as text)
            else cast(cast(cast(records.x11 as text) as numeric) as text) || '.0'
        end collate "C" as x11,
        case
            when pg_typeof(records.x12) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(records.x12 as text)
            when cast(records.x12 as text) = 'NaN' then 'nan'
            when cast(records.x12 as text) = 'Infinity' then 'inf'
            when cast(records.x12 as text) = '-Infinity' then '-inf'
            when cast(records.x12 as text) in ('0', '-0') then cast(records.x12 as text) || '.0'
            when
                abs(cast(cast(records.x12 as text) as numeric)) < 0.0001
                or abs(cast(cast(records.x12 as text) as numeric)) >= 10000000000000000
                then cast(records.x12 as text)
            when strpos(cast(cast(cast(records.x12 as text) as numeric) as text), '.') > 0
                then cast(cast(cast(records.x12 as text) as numeric) as text)
            else cast(cast(cast(records.x12 as text) as numeric) as text) || '.0'
        end collate "C" as x12
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
