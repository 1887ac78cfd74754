-- relation: ledger
-- grain: one row
-- inputs: size, release
-- outputs: records_in, records_out, records_suppressed
-- paper: none
-- What became of the records. Every record that is read has a class, so none is suppressed.
with released as (
    select count(*) as records
    from "visits_third"
)

select
    size.records as records_in,
    released.records as records_out,
    cast(0 as bigint) as records_suppressed
from "sqlanon_size" as size
cross join released
