-- relation: links
-- grain: one row per cluster and later cluster that it may be joined with
-- inputs: divergences
-- outputs: one, two, amount
-- paper: Amiri et al. 2023, §4, step 1
-- At first every profile is a cluster of its own.
select
    divergences.code as one,
    divergences.other as two,
    divergences.amount
from "sqlanon_divergences_b1" as divergences
where cast(divergences.amount as decimal(38, 0)) * 100000 <= cast(1000000000 as decimal(38, 0)) * 1
