-- relation: new_classes
-- grain: one row per person
-- inputs: formed
-- outputs: class_id, x0
-- paper: none
select
    formed.class_id,
    formed.x0
from "sqlanon_merged_new_classes" as formed
