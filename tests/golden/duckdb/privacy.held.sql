-- relation: held
-- grain: one row per declared model and equivalence class
-- inputs: model_*
-- outputs: model, class_id, holds
-- paper: none
-- The one place that decides: whether what was measured in a class is within what is asked for (1) or
-- not (0). Amounts, scales and thresholds are whole numbers, multiplied crosswise.
with decided as (
    select
        1 as model,
        measured.class_id,
        case
            when measured.amount * 1 >= measured.scale * 10 then 1
            else 0
        end as holds
    from "sqlanon_measured_k_anonymity" as measured
    union all
    select
        5 as model,
        measured.class_id,
        case
            when measured.amount * 10 <= measured.scale * 9 then 1
            else 0
        end as holds
    from "sqlanon_measured_t_closeness_s1" as measured
    union all
    select
        9 as model,
        measured.class_id,
        case
            when measured.amount * 10 <= measured.scale * 9 then 1
            else 0
        end as holds
    from "sqlanon_measured_t_closeness_s2" as measured
    union all
    select
        10 as model,
        measured.class_id,
        case
            when measured.amount * 1 <= measured.scale * 9 then 1
            else 0
        end as holds
    from "sqlanon_measured_beta_likeness_s2" as measured
    union all
    select
        11 as model,
        measured.class_id,
        case
            when measured.amount * 1 <= measured.scale * 9 then 1
            else 0
        end as holds
    from "sqlanon_measured_enhanced_beta_likeness_s2" as measured
    union all
    select
        12 as model,
        measured.class_id,
        case
            when measured.amount * 1 < measured.scale * 512 then 1
            else 0
        end as holds
    from "sqlanon_measured_delta_disclosure_s2" as measured
    union all
    select
        13 as model,
        measured.class_id,
        case
            when measured.amount * 125000000000 < measured.scale * 1012885490946923 then 1
            else 0
        end as holds
    from "sqlanon_measured_delta_disclosure_ln_s2" as measured
    union all
    select
        14 as model,
        measured.class_id,
        case
            when measured.amount * 1 >= measured.scale * 1 then 1
            else 0
        end as holds
    from "sqlanon_measured_distinct_l_s3" as measured
    union all
    select
        15 as model,
        measured.class_id,
        case
            when measured.amount * 1000000000 >= measured.scale * -1 then 1
            else 0
        end as holds
    from "sqlanon_measured_entropy_l_s3" as measured
    union all
    select
        16 as model,
        measured.class_id,
        case
            when measured.amount * 1 < measured.scale * 99 then 1
            else 0
        end as holds
    from "sqlanon_measured_recursive_l_s3" as measured
    union all
    select
        17 as model,
        measured.class_id,
        case
            when measured.amount * 1 <= measured.scale * 1 then 1
            else 0
        end as holds
    from "sqlanon_measured_alpha_s3" as measured

)

select
    decided.model,
    decided.class_id,
    decided.holds
from decided
