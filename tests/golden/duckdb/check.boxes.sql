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
    cells_q2.whole as q2_whole,
    cells_q3.low as q3_low,
    cells_q3.high as q3_high,
    cells_q3.whole as q3_whole,
    cells_q4.low as q4_low,
    cells_q4.high as q4_high,
    cells_q4.whole as q4_whole,
    cells_q5.low as q5_low,
    cells_q5.high as q5_high,
    cells_q5.whole as q5_whole,
    cells_q6.low as q6_low,
    cells_q6.high as q6_high,
    cells_q6.whole as q6_whole,
    cells_q7.low as q7_low,
    cells_q7.high as q7_high,
    cells_q7.whole as q7_whole
from "sqlanon_shown_classes" as classes
inner join "sqlanon_cells_q1" as cells_q1
    on classes.class_id = cells_q1.class_id
inner join "sqlanon_cells_q2" as cells_q2
    on classes.class_id = cells_q2.class_id
inner join "sqlanon_cells_q3" as cells_q3
    on classes.class_id = cells_q3.class_id
inner join "sqlanon_cells_q4" as cells_q4
    on classes.class_id = cells_q4.class_id
inner join "sqlanon_cells_q5" as cells_q5
    on classes.class_id = cells_q5.class_id
inner join "sqlanon_cells_q6" as cells_q6
    on classes.class_id = cells_q6.class_id
inner join "sqlanon_cells_q7" as cells_q7
    on classes.class_id = cells_q7.class_id
