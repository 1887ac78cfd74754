-- relation: groups
-- grain: one row per class
-- inputs: measured
-- outputs: class_id, records
-- paper: none
-- Groups as a reader of the release sees them, by their published numbers.
select
    measured.p0 as class_id,
    count(*) as records
from "sqlanon_measured" as measured
group by measured.p0
