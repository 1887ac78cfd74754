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
    union all
    select
        3 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q3" as cells_q3
        on classes.class_id = cells_q3.class_id
    where cells_q3.class_id is null
    having count(*) > 0
    union all
    select
        4 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q4" as cells_q4
        on classes.class_id = cells_q4.class_id
    where cells_q4.class_id is null
    having count(*) > 0
    union all
    select
        5 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q5" as cells_q5
        on classes.class_id = cells_q5.class_id
    where cells_q5.class_id is null
    having count(*) > 0
    union all
    select
        6 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q6" as cells_q6
        on classes.class_id = cells_q6.class_id
    where cells_q6.class_id is null
    having count(*) > 0
    union all
    select
        7 as place,
        count(*) as classes,
        cast(sum(classes.records) as bigint) as records
    from "sqlanon_shown_classes" as classes
    left join "sqlanon_cells_q7" as cells_q7
        on classes.class_id = cells_q7.class_id
    where cells_q7.class_id is null
    having count(*) > 0

)

select
    unreadable.place,
    unreadable.classes,
    unreadable.records
from unreadable
