-- relation: held
-- grain: one row per distinct value of an insensitive column, or combination of several; NULL is one
-- inputs: records
-- outputs: x*|o*, records
-- paper: none
-- By how many records each value is held.
select
    records.x1,
    count(*) as records
from "sqlanon_records" as records
group by records.x1
