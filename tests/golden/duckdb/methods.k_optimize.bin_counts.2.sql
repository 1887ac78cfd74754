-- relation: bin_counts
-- grain: one row per quasi-identifier
-- inputs: bins_*
-- outputs: place, bins
-- paper: none
-- How many bins each quasi-identifier has.
with counts as (
    select
        0 as place,
        count(distinct bins.bin) as bins
    from "sqlanon_split_bins_q1" as bins
    union all
    select
        1 as place,
        count(distinct bins.bin) as bins
    from "sqlanon_split_bins_q2" as bins

)

select
    counts.place,
    counts.bins
from counts
