-- relation: failing
-- grain: one row
-- inputs: measured_*
-- outputs: classes
-- paper: none
-- How many classes as dealt fall short of a model, counted once for each model.
with short as (
    select measured.class_id
    from "sqlanon_dealt_model_1" as measured
    where measured.holds = 0
    union all
    select measured.class_id
    from "sqlanon_dealt_model_5" as measured
    where measured.holds = 0
    union all
    select measured.class_id
    from "sqlanon_dealt_model_8" as measured
    where measured.holds = 0
    union all
    select measured.class_id
    from "sqlanon_dealt_model_9" as measured
    where measured.holds = 0

)

select count(*) as classes
from short
