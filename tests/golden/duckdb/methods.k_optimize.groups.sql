select
    bins.code,
    cast(
        case
            when bins.bin >= 1 then 1
            else 0
        end
        as bigint
    ) as part_1,
    cast(
        case
            when bins.bin >= 1 then 0
            else 0
        end
        as bigint
    ) as loss_1
from "sqlanon_strata_bins_q2" as bins
