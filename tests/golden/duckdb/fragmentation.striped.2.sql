-- relation: striped
-- grain: one row per record
-- inputs: along, pieces, bins_*
-- outputs: q*, s*, x*|k*, place, stripe, fragment
-- paper: none
-- The records with their fragment, in one stripe that holds them all.
select
    along.q1,
    along.q2,
    along.q3,
    along.s1,
    along.k1,
    along.place,
    0 as stripe,
    pieces.fragment
from "sqlanon_along" as along
inner join "sqlanon_bins_s1" as bins_s1
    on along.s1 = bins_s1.code
inner join "sqlanon_pieces" as pieces
    on
        bins_s1.bin = pieces.s1
