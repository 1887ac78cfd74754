-- relation: curve_places
-- grain: one row per record
-- inputs: coded, grid?, buckets_*
-- outputs: cell_id|q*, s*, x*|k*, place
-- paper: none
-- The records with their place on the curve through the quasi-identifiers with many values.
select
    coded.q1,
    coded.q2,
    coded.q3,
    coded.s1,
    coded.k1,
    grid.place
from "sqlanon_coded" as coded
inner join "sqlanon_buckets_q3" as buckets_q3
    on coded.q3 = buckets_q3.code
inner join "sqlanon_buckets_q2" as buckets_q2
    on coded.q2 = buckets_q2.code
inner join "sqlanon_buckets_q1" as buckets_q1
    on coded.q1 = buckets_q1.code
inner join "sqlanon_grid" as grid
    on
        buckets_q3.bucket = grid.x0
        and buckets_q2.bucket = grid.x1
        and buckets_q1.bucket = grid.x2
