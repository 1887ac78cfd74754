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
    classes.p2 as "zip",
    classes.p3 as "dose",
    classes.p4 as "admitted",
    classes.p5 as "sex",
    classes.p6 as "town",
    classes.p7 as "visits_min",
    classes.p8 as "visits_max",
    model_1.value as "k_anonymity",
    model_2.value as "disease_distinct_l",
    model_3.value as "disease_entropy_l",
    model_4.value as "disease_alpha",
    model_5.value as "disease_t_closeness",
    model_6.value as "pain_distinct_l",
    model_7.value as "pain_entropy_l",
    model_8.value as "pain_alpha",
    model_9.value as "pain_t_closeness",
    model_10.value as "pain_beta_likeness",
    model_11.value as "pain_enhanced_beta_likeness",
    model_12.value as "pain_delta_disclosure",
    model_13.value as "pain_delta_disclosure_ln",
    model_14.value as "salary_distinct_l",
    model_15.value as "salary_entropy_l",
    model_16.value as "salary_recursive_l",
    model_17.value as "salary_alpha",
    model_18.value as "salary_t_closeness",
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
inner join "sqlanon_measured_distinct_l_s2" as model_6
    on classes.class_id = model_6.class_id
inner join "sqlanon_measured_entropy_l_s2" as model_7
    on classes.class_id = model_7.class_id
inner join "sqlanon_measured_alpha_s2" as model_8
    on classes.class_id = model_8.class_id
inner join "sqlanon_measured_t_closeness_s2" as model_9
    on classes.class_id = model_9.class_id
inner join "sqlanon_measured_beta_likeness_s2" as model_10
    on classes.class_id = model_10.class_id
inner join "sqlanon_measured_enhanced_beta_likeness_s2" as model_11
    on classes.class_id = model_11.class_id
inner join "sqlanon_measured_delta_disclosure_s2" as model_12
    on classes.class_id = model_12.class_id
inner join "sqlanon_measured_delta_disclosure_ln_s2" as model_13
    on classes.class_id = model_13.class_id
inner join "sqlanon_measured_distinct_l_s3" as model_14
    on classes.class_id = model_14.class_id
inner join "sqlanon_measured_entropy_l_s3" as model_15
    on classes.class_id = model_15.class_id
inner join "sqlanon_measured_recursive_l_s3" as model_16
    on classes.class_id = model_16.class_id
inner join "sqlanon_measured_alpha_s3" as model_17
    on classes.class_id = model_17.class_id
inner join "sqlanon_measured_t_closeness_s3" as model_18
    on classes.class_id = model_18.class_id
inner join "sqlanon_class_loss" as class_loss
    on classes.class_id = class_loss.class_id
