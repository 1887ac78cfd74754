-- relation: label_cells
-- grain: one row per class whose cell is a label of the hierarchy
-- inputs: classes, labels
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that the cell stands for; NULL stands for NULL.
select
    classes.class_id,
    min(labels.low) as low,
    max(labels.high) as high,
    1 as whole
from "sqlanon_cell_texts" as classes
inner join "sqlanon_labels_q1" as labels
    on
        cast(classes.p1 as varchar)
        is not distinct from cast(labels.label as varchar)
group by classes.class_id
