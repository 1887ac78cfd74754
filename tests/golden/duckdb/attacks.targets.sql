select
    tuples.class_id as target_id,
    held.class_id,
    tuples.records,
    held.records as behind,
    spans_q1.low as q1_low,
    spans_q1.high as q1_high,
    spans_q1.whole as q1_whole,
    spans_q2.low as q2_low,
    spans_q2.high as q2_high,
    spans_q2.whole as q2_whole,
    held.s1_low,
    held.s1_high
from "sqlanon_classes" as tuples
inner join "sqlanon_targets_held" as held
    on tuples.class_id = held.class_id
inner join "sqlanon_spans_q1" as spans_q1
    on tuples.class_id = spans_q1.class_id
inner join "sqlanon_spans_q2" as spans_q2
    on tuples.class_id = spans_q2.class_id
