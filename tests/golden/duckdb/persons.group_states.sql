-- relation: group_states
-- grain: one row per group of classes
-- inputs: model_*
-- outputs: number, fails
-- paper: none
-- Whether a group falls short of any model.
with measured as (
    select
        model_1.class_id,
        model_1.holds
    from "sqlanon_measured_alpha_s1" as model_1

)

select
    measured.class_id as number,
    1 - min(measured.holds) as fails
from measured
group by measured.class_id
