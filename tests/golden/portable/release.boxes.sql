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
    max(assigned.q1) as q1_high,
    min(assigned.q2) as q2_low,
    max(assigned.q2) as q2_high,
    min(assigned.q3) as q3_low,
    max(assigned.q3) as q3_high,
    min(assigned.q4) as q4_low,
    max(assigned.q4) as q4_high,
    min(assigned.q5) as q5_low,
    max(assigned.q5) as q5_high,
    min(assigned.q7) as q7_low,
    max(assigned.q7) as q7_high
from "sqlanon_assigned" as assigned
group by assigned.class_id
