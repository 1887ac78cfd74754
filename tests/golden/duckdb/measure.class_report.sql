select
    classes.class_id,
    classes.records,
    classes.p1 as "age",
    classes.p2 as "sex",
    model_1.value as "k_anonymity"
from "sqlanon_classes" as classes
inner join "sqlanon_measured_k_anonymity" as model_1
    on classes.class_id = model_1.class_id
