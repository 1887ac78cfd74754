select
    tuples.p0 as class_id,
    cast(sum(tuples.records) as bigint) as records,
    spans_q1.low as q1,
    spans_q3.low as q3,
    spans_q4.low as q4
from "sqlanon_published_tuples" as tuples
inner join "sqlanon_spans_q1" as spans_q1
    on tuples.class_id = spans_q1.class_id
inner join "sqlanon_spans_q3" as spans_q3
    on tuples.class_id = spans_q3.class_id
inner join "sqlanon_spans_q4" as spans_q4
    on tuples.class_id = spans_q4.class_id
group by tuples.p0, spans_q1.low, spans_q3.low, spans_q4.low
