select
    recoded.ordinal
from "sqlanon_assigned" as assigned
inner join "sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
order by
    recoded.ordinal
