select
    coded.q1,
    coded.q2,
    coded.s1,
    positions_s2.code as s2,
    coded.k1
from "sqlanon_coded" as coded
left join "sqlanon_spans_s2" as spans_s2
    on coded.g1 = spans_s2.label
inner join "sqlanon_positions_s2" as positions_s2
    on
        coded.s1 = positions_s2.own
        and coalesce(spans_s2.low, -1) = coalesce(positions_s2.low, -1)
        and coalesce(spans_s2.high, -1) = coalesce(positions_s2.high, -1)
