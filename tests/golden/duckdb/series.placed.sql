-- relation: placed
-- grain: one row per person and class
-- inputs: measured, classes
-- outputs: class_id, x0
-- paper: none
-- Whom a reader would find in which class, by what is published.
select distinct
    classes.class_id,
    measured.x0
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
