select
    cast(0 as bigint) as code,
    cast(240 as bigint) as records
