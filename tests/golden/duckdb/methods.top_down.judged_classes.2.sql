-- relation: judged_classes
-- grain: one row per specialization and class
-- inputs: candidate_classes, held?
-- outputs: candidate, class_id, records, loss, lost_before, failing_before, holds
-- paper: none
-- Whether each class that a specialization would make is large enough and, once they are measured,
-- meets every model.
with passing as (
    select
        held.class_id,
        min(held.holds) as holds
    from "sqlanon_lattice_held" as held
    group by held.class_id
)

select
    candidate_classes.candidate,
    candidate_classes.class_id,
    candidate_classes.records,
    candidate_classes.loss,
    candidate_classes.lost_before,
    candidate_classes.failing_before,
    coalesce(passing.holds, 0) as holds
from "sqlanon_top_down_candidate_classes" as candidate_classes
left join passing
    on candidate_classes.class_id = passing.class_id
