-- relation: here
-- grain: one row per person
-- inputs: records
-- outputs: name, class_id, last_class_id
-- paper: none
-- By what readers would know each person of the source again, before there are classes.
select
    records.x1 as name,
    1 as class_id,
    1 as last_class_id
from "sqlanon_records" as records
group by records.x1
