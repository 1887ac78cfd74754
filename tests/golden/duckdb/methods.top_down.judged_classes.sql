-- relation: judged_classes
-- grain: one row per specialization and class
-- inputs: candidate_classes, held?
-- outputs: candidate, class_id, records, loss, lost_before, failing_before, holds
-- paper: none
-- Whether each class that a specialization would make is large enough and, once they are measured,
-- meets every model.
select
    candidate_classes.candidate,
    candidate_classes.class_id,
    candidate_classes.records,
    candidate_classes.loss,
    candidate_classes.lost_before,
    candidate_classes.failing_before,
    case when candidate_classes.records >= 5 then 1 else 0 end as holds
from "sqlanon_top_down_candidate_classes" as candidate_classes
