-- relation: ledger
-- grain: one row
-- inputs: size, release, suppressed
-- outputs: records_in, records_out, records_suppressed
-- paper: none
-- What became of the records where some may be left out: those that are published are counted, and
-- those that were left out are told by the reasons for it.
with released as (
    select count(*) as records
    from "visits_second"
),

left_out as (
    select cast(coalesce(sum(suppressed.records), 0) as bigint) as records
    from "visits_second__suppressed" as suppressed
)

select
    size.records as records_in,
    released.records as records_out,
    left_out.records as records_suppressed
from "sqlanon_size" as size
cross join released
cross join left_out
