-- relation: class_persons
-- grain: one row per equivalence class
-- inputs: measured, classes
-- outputs: class_id, records
-- paper: Wang & Fung 2006, (X,Y)-anonymity with the persons as Y
-- How many persons the class has, each counted once: what stands for its records in k-anonymity.
select
    classes.class_id,
    count(distinct measured.x0) as records
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
group by classes.class_id
