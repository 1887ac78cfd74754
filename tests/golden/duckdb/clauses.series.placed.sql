select
    min(classes.class_id) as class_id,
    max(classes.class_id) as last_class_id,
    measured.x0
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
group by measured.x0
