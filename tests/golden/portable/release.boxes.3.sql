-- relation: boxes
-- grain: one row per class as formed
-- inputs: assigned
-- outputs: class_id, records, q*_low|q*_high
-- paper: none
-- The smallest and the largest code of every quasi-identifier in the class.
select
    assigned.class_id,
    count(*) as records,
    min(assigned.q1) as q1_low,
    max(assigned.q1) as q1_high
from "sqlanon_assigned" as assigned
group by assigned.class_id
