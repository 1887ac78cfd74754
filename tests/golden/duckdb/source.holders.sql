-- relation: holders
-- grain: one row
-- inputs: source
-- outputs: used, holders
-- paper: none
-- How many values an identifier has, and how many records hold them, or where it is known whom a
-- record is about, how many persons; NULL is not counted. Counted in two steps, which spill to disk
-- where memory is short; a count of distinct values in one would not.
with named as (
    select
        source."patient_id" as value
    from "patients" as source
),

held as (
    select count(*) as holders
    from named
    where named.value is not null
    group by named.value
)

select
    count(*) as used,
    cast(coalesce(sum(held.holders), 0) as bigint) as holders
from held
