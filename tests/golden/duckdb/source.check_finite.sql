-- relation: check_finite
-- grain: one row if values of a column that is laid out on a scale are NaN or infinite
-- inputs: values_in_use
-- outputs: records
-- paper: none
-- Of all numbers only these are no zero when they are taken from themselves.
select cast(sum(values_in_use.records) as bigint) as records
from "sqlanon_values_q3" as values_in_use
where values_in_use.value - values_in_use.value <> 0
having count(*) > 0
