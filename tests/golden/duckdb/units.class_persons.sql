select
    classes.class_id,
    count(distinct measured.x0) as records
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
group by classes.class_id
