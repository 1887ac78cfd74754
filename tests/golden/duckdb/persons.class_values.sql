-- relation: class_values
-- grain: one row per equivalence class and sensitive value present in it
-- inputs: measured, classes, positions
-- outputs: class_id, code, position, records
-- paper: Wang & Fung 2006, (X,Y)-anonymity with the persons as Y
-- How many persons of the class have the value, each counted once.
select
    classes.class_id,
    cast(positions.code as integer) as code,
    cast(positions.position as integer) as position,
    count(distinct measured.x0) as records
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
inner join "sqlanon_positions_s1" as positions
    on
        measured.s1 is not distinct from positions.value
        and (positions.records > 0)
group by classes.class_id, positions.code, positions.position
