select
    classes.class_id,
    min(case when labels.label = '*' then -1 else labels.low end) as low,
    max(labels.high) as high,
    1 as whole
from "sqlanon_classes" as classes
inner join "sqlanon_external_labels_q1" as labels
    on classes.p2 is not distinct from labels.label
group by classes.class_id
