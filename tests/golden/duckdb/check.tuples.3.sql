-- relation: tuples
-- grain: one row per distinct tuple of sensitive and insensitive values, in the source or in the table
-- inputs: records, shown
-- outputs: tuple_id, s*|x*, in_source, in_table
-- paper: none
-- How many records of the source and of the table have the tuple: as many, where the table is true.
with compared as (
    select
        cast(records.s1 as varchar) as s1,
        1 as in_source,
        0 as in_table
    from "sqlanon_records" as records
    union all
    select
        cast(shown.s1 as varchar) as s1,
        0 as in_source,
        1 as in_table
    from "sqlanon_shown" as shown
),

counted as (
    select
        compared.s1,
        cast(sum(compared.in_source) as bigint) as in_source,
        cast(sum(compared.in_table) as bigint) as in_table
    from compared
    group by compared.s1
)

select
    row_number() over (
        order by
            counted.s1 nulls first
    ) as tuple_id,
    counted.s1,
    counted.in_source,
    counted.in_table
from counted
