-- relation: left_counts
-- grain: one row per region and combination of sensitive values left over in it
-- inputs: remainder
-- outputs: region, group_id, candidate, value, taken, size
-- paper: none
-- What is left over of every region, as the one candidate for its last class.
select
    remainder.region,
    remainder.region as group_id,
    0 as candidate,
    remainder.value,
    remainder.records as taken,
    cast(sum(remainder.records) over (partition by remainder.region) as bigint) as size
from "sqlanon_carve_remainder" as remainder
where remainder.records > 0
