select
    divergences.code as one,
    divergences.other as two,
    divergences.amount
from "sqlanon_divergences_b1" as divergences
where cast(divergences.amount as decimal(38, 0)) * 2 <= cast(1000000000 as decimal(38, 0)) * 1
