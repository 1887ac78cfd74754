select
    classes.class_id,
    0 as q1_loss,
    1 as q2_loss,
    1 as q3_loss
from "sqlanon_classes" as classes
