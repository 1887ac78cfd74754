-- relation: boxes
-- grain: one row per class whose every cell can be read
-- inputs: classes, cells_*
-- outputs: class_id, q*_low|q*_high|q*_whole
-- paper: none
-- What the published tuple stands for: the codes of each quasi-identifier, from low to high.
select
    classes.class_id,
    cells_q1.low as q1_low,
    cells_q1.high as q1_high,
    cells_q1.whole as q1_whole,
    cells_q2.low as q2_low,
    cells_q2.high as q2_high,
    cells_q2.whole as q2_whole
from "sqlanon_shown_classes" as classes
inner join "sqlanon_cells_q1" as cells_q1
    on classes.class_id = cells_q1.class_id
inner join "sqlanon_cells_q2" as cells_q2
    on classes.class_id = cells_q2.class_id
