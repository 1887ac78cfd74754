-- relation: check_after_christ
-- grain: one row if dates or times of a column lie before the year 1
-- inputs: values_in_use
-- outputs: records
-- paper: none
select cast(sum(values_in_use.records) as bigint) as records
from "sqlanon_values_q1" as values_in_use
where values_in_use.value < cast('0001-01-01' as date)
having count(*) > 0
