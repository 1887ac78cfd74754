-- relation: striped
-- grain: one row per record
-- inputs: curve_places, pieces, bins_*
-- outputs: q*, s*, x*|k*, place, stripe, fragment
-- paper: none
-- The records with their fragment, in one stripe that holds them all.
select
    curve_places.q1,
    curve_places.q2,
    curve_places.s1,
    curve_places.k1,
    curve_places.place,
    0 as stripe,
    pieces.fragment
from "sqlanon_curve_places" as curve_places
inner join "sqlanon_bins_s1" as bins_s1
    on curve_places.s1 = bins_s1.code
inner join "sqlanon_pieces" as pieces
    on
        bins_s1.bin = pieces.s1
