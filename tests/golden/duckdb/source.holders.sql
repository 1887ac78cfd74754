-- relation: holders
-- grain: one row
-- inputs: source
-- outputs: used, records
-- paper: none
-- How many values an identifier has, and in how many records; NULL is not counted. Counted in two
-- steps, which spill to disk where memory is short; a count of distinct values in one would not.
with held as (
    select count(*) as records
    from "patients" as source
    where source."patient_id" is not null
    group by source."patient_id"
)

select
    count(*) as used,
    cast(coalesce(sum(held.records), 0) as bigint) as records
from held
