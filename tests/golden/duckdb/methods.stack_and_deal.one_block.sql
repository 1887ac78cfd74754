-- relation: stack
-- grain: one row
-- inputs: records
-- outputs: s*, frequency, block, start
-- paper: Gowda 2023, §3.3.1, of one value
-- Without a sensitive attribute the stack is one block of all records.
select
    0 as s0,
    count(*) as frequency,
    0 as block,
    cast(0 as bigint) as start
from "sqlanon_records"
