select
    cast(assigned.class_id as bigint) as cell_id,
    min(assigned.q1) as q1_low,
    max(assigned.q1) as q1_high,
    count(distinct assigned.x0) as records
from "sqlanon_followed" as assigned
group by assigned.class_id
