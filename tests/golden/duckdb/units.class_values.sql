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
