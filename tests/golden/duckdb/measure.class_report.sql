select
    classes.class_id,
    classes.records,
    classes.p1 as "town",
    model_1.value as "k_anonymity",
    class_loss.loss as information_loss
from "sqlanon_classes" as classes
inner join "sqlanon_measured_k_anonymity" as model_1
    on classes.class_id = model_1.class_id
inner join "sqlanon_class_loss" as class_loss
    on classes.class_id = class_loss.class_id
