-- relation: class_report
-- grain: one row per equivalence class
-- inputs: classes, class_loss?, model_*
-- outputs: class_id, records, *
-- paper: none
-- Every class of the release with what was measured in it, for the publisher.
select
    classes.class_id,
    classes.records,
    classes.p1 as "age",
    classes.p2 as "sex",
    classes.p3 as "zip",
    model_1.value as "k_anonymity",
    model_2.value as "disease_distinct_l",
    model_3.value as "disease_entropy_l",
    model_4.value as "disease_alpha",
    model_5.value as "disease_t_closeness",
    class_loss.loss as information_loss
from "sqlanon_classes" as classes
inner join "sqlanon_measured_k_anonymity" as model_1
    on classes.class_id = model_1.class_id
inner join "sqlanon_measured_distinct_l_s1" as model_2
    on classes.class_id = model_2.class_id
inner join "sqlanon_measured_entropy_l_s1" as model_3
    on classes.class_id = model_3.class_id
inner join "sqlanon_measured_alpha_s1" as model_4
    on classes.class_id = model_4.class_id
inner join "sqlanon_measured_t_closeness_s1" as model_5
    on classes.class_id = model_5.class_id
inner join "sqlanon_class_loss" as class_loss
    on classes.class_id = class_loss.class_id
