-- relation: class_values
-- grain: one row per equivalence class and sensitive value present in it
-- inputs: measured, classes, positions
-- outputs: class_id, code, position, records
-- paper: none
-- Narrow columns: this is the largest relation of a measurement.
select
    classes.class_id,
    cast(positions.code as integer) as code,
    cast(positions.position as integer) as position,
    count(*) as records
from "sqlanon_measured" as measured
inner join "sqlanon_classes" as classes
    on
        measured.p1 is not distinct from classes.p1
        and measured.p2 is not distinct from classes.p2
        and measured.p3 is not distinct from classes.p3
        and measured.p4 is not distinct from classes.p4
        and measured.p5 is not distinct from classes.p5
        and measured.p6 is not distinct from classes.p6
        and measured.p7 is not distinct from classes.p7
        and measured.p8 is not distinct from classes.p8
inner join "sqlanon_positions_s1" as positions
    on
        measured.s1 is not distinct from positions.value
        and (positions.records > 0)
group by classes.class_id, positions.code, positions.position
