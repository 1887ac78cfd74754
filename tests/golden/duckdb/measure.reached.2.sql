-- relation: reached
-- grain: one row
-- inputs: measured, classes?, held?
-- outputs: value, failing_classes, failing_records
-- paper: none
-- What a privacy model reaches in its worst class, and how many classes and records fall short.
select
    cast(min(measured.value) as double) as value,
    cast(sum(0) as bigint) as failing_classes,
    cast(sum(0) as bigint) as failing_records
from "sqlanon_measured_distinct_l_s1" as measured
