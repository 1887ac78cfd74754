-- relation: spans
-- grain: one row per class whose cell may stand for a person's value
-- inputs: classes, labels
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that a label stands for: 0 is NULL, -1 a value that the hierarchy has not.
select
    classes.class_id,
    min(case when labels.label = '*' then -1 else labels.low end) as low,
    max(labels.high) as high,
    1 as whole
from "sqlanon_cells_q1" as classes
inner join "sqlanon_external_labels_q1" as labels
    on classes.p1_1 is not distinct from labels.label
group by classes.class_id
