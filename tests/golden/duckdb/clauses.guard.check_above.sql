select count(*) as records
from "sqlanon_coded" as coded
inner join "sqlanon_spans_s2" as spans
    on coded.g1 = spans.label
where coded.s1 < spans.low or coded.s1 > spans.high
having count(*) > 0
