-- relation: groups
-- grain: one row per code in use of a quasi-identifier
-- inputs: bins
-- outputs: code, part_1, loss_1
-- paper: none
-- The group of every code by the splits that were chosen, and what publishing it loses.
select
    bins.code,
    cast(
        case
            when bins.bin >= 2 then 2
            when bins.bin >= 1 then 1
            else 0
        end
        as bigint
    ) as part_1,
    cast(
        case
            when bins.bin >= 2 then 107344633
            when bins.bin >= 1 then 107344633
            else 107344633
        end
        as bigint
    ) as loss_1
from "sqlanon_split_bins_q1" as bins
