-- relation: sizes
-- grain: one row
-- inputs: stack
-- outputs: records, classes
-- paper: Gowda 2023, §3.3.2: e = floor(n / k)
with counted as (
    select cast(sum(stack.frequency) as bigint) as records
    from "sqlanon_stack" as stack
)

select
    counted.records,
    cast((counted.records - counted.records % 10) / 10 as bigint) as classes
from counted
