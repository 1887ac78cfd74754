-- relation: reached
-- grain: one row
-- inputs: measured, classes?, held?
-- outputs: value, failing_classes, failing_records
-- paper: none
-- What a privacy model reaches in its worst class, and how many classes and records fall short.
select
    cast(min(measured.value) as double) as value,
    cast(sum(1 - held.holds) as bigint) as failing_classes,
    cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
from "sqlanon_measured_k_anonymity" as measured
inner join "sqlanon_classes" as classes
    on measured.class_id = classes.class_id
inner join "sqlanon_held" as held
    on measured.class_id = held.class_id and held.model = 1
