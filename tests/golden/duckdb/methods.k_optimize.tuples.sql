select
    bins_q1.bin as q1,
    bins_q2.bin as q2,
    cast(sum(cells.records) as bigint) as records
from "sqlanon_cells" as cells
inner join "sqlanon_split_bins_q1" as bins_q1
    on cells.q1 = bins_q1.code
inner join "sqlanon_strata_bins_q2" as bins_q2
    on cells.q2 = bins_q2.code
group by
    bins_q1.bin,
    bins_q2.bin
