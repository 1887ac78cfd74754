-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, records
-- paper: none
select
    q1 as value,
    count(*) as records
from "sqlanon_records"
group by q1
