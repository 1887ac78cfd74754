-- relation: check_range
-- grain: one row if numbers are too large to be put into bands
-- inputs: values_in_use
-- outputs: records
-- paper: none
select cast(sum(values_in_use.records) as bigint) as records
from "sqlanon_values_q3" as values_in_use
where
    abs(values_in_use.value) >= 9e18
having count(*) > 0
