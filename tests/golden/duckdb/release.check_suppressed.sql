-- relation: check_suppressed
-- grain: one row if more records were left out than may be, or all of them
-- inputs: ledger
-- outputs: records_in, records_suppressed
-- paper: none
select
    ledger.records_in,
    ledger.records_suppressed
from "sqlanon_ledger" as ledger
where
    ledger.records_out = 0
    or cast(ledger.records_suppressed as decimal(38, 0)) * 5
    > cast(ledger.records_in as decimal(38, 0)) * 2
