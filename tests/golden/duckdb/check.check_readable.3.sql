-- relation: check_readable
-- grain: one row per quasi-identifier with cells that cannot be read
-- inputs: classes, cells_*
-- outputs: place, classes, records
-- paper: none
with unreadable as (
    select
        1 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q1" as cells_q1
        on classes.class_id = cells_q1.class_id
    where cells_q1.class_id is null
    having count(*) > 0
    union all
    select
        2 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q2" as cells_q2
        on classes.class_id = cells_q2.class_id
    where cells_q2.class_id is null
    having count(*) > 0

)

select
    unreadable.place,
    unreadable.classes,
    unreadable.records
from unreadable
