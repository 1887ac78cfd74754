-- relation: check_finite
-- grain: one row if values of a column that is laid out on a scale are NaN or infinite
-- inputs: values_in_use
-- outputs: records
-- paper: none
-- Of all dates and times only these are written as words.
select cast(sum(values_in_use.records) as bigint) as records
from "sqlanon_values_q4" as values_in_use
where values_in_use.label in ('infinity', '-infinity')
having count(*) > 0
