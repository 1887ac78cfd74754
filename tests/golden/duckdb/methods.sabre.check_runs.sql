-- relation: check_runs
-- grain: no row
-- inputs: bins
-- outputs: labels
-- paper: none
-- The search for subtrees knows every leaf by itself.
with counted as (
    select max(bins.bin) + 1 as labels
    from "sqlanon_bins_s1" as bins
)

select counted.labels
from counted
where counted.labels > 2000
