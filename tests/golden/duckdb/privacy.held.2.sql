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

)

select
    decided.model,
    decided.class_id,
    decided.holds
from decided
