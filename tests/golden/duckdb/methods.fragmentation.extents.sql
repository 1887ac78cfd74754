-- relation: extents
-- grain: one row per bin of a sensitive attribute
-- inputs: bins
-- outputs: bin, first_position, last_position
-- paper: none
-- Between which places of the distance's order the bin's values lie.
select
    bins.bin,
    min(bins.position) as first_position,
    max(bins.position) as last_position
from "sqlanon_bins_s1" as bins
group by bins.bin
