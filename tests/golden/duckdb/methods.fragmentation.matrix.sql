-- relation: matrix
-- grain: one row per combination of bins of the sensitive attributes in the data
-- inputs: coded, bins_*
-- outputs: s*, records
-- paper: Gowda 2023, §4.2.1 and §4.5
-- The multiplicity matrix, without the combinations that do not occur.
select
    bins_s1.bin as s1,
    bins_s2.bin as s2,
    count(*) as records
from "sqlanon_coded" as coded
inner join "sqlanon_bins_s1" as bins_s1
    on coded.s1 = bins_s1.code
inner join "sqlanon_bins_s2" as bins_s2
    on coded.s2 = bins_s2.code
group by
    bins_s1.bin,
    bins_s2.bin
