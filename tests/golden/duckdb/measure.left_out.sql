-- relation: left_out
-- grain: one row
-- inputs: ledger
-- outputs: suppressed_records, suppressed_share
-- paper: none
-- How many of the records were left out.
select
    cast(ledger.records_suppressed as double) as suppressed_records,
    cast(ledger.records_suppressed as double) / nullif(ledger.records_in, 0) as suppressed_share
from "sqlanon_ledger" as ledger
