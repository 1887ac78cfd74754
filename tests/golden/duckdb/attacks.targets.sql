select
    tuples.class_id as target_id,
    held.class_id,
    tuples.records,
    held.records as behind,
    spans_q4.low as q4_low,
    spans_q4.high as q4_high,
    spans_q4.whole as q4_whole
from "sqlanon_classes" as tuples
inner join "sqlanon_classes" as held
    on tuples.class_id = held.class_id
inner join "sqlanon_spans_q4" as spans_q4
    on tuples.class_id = spans_q4.class_id
