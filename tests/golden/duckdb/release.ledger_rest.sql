-- relation: ledger
-- grain: one row
-- inputs: size, release
-- outputs: records_in, records_out, records_suppressed
-- paper: none
-- The same of a table that is given: what it lacks was left out of it.
with released as (
    select count(*) as records
    from "sqlanon_measured"
)

select
    size.records as records_in,
    released.records as records_out,
    cast(case when size.records > released.records then size.records - released.records else 0 end as bigint)
        as records_suppressed
from "sqlanon_size" as size
cross join released
