-- relation: check_no_nulls
-- grain: one row if a value is missing where the spec rejects missing values
-- inputs: values_in_use
-- outputs: records
-- paper: none
select values_in_use.records
from "sqlanon_values_s3" as values_in_use
where values_in_use.value is null
