select
    recoded.p1,
    recoded.p2,
    assigned.x0
from "sqlanon_followed" as assigned
inner join "sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
