-- relation: classes
-- grain: one row per class as dealt
-- inputs: assigned
-- outputs: class_id, records
-- paper: none
select
    assigned.class_id,
    count(*) as records
from "sqlanon_assigned" as assigned
group by assigned.class_id
