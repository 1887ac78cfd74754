-- relation: k_anonymity
-- grain: one row per equivalence class
-- inputs: classes
-- outputs: class_id, value, holds
-- paper: Sweeney 2002; Gowda 2023, §2.4
-- How many records share the published tuple of quasi-identifiers.
select
    classes.class_id,
    classes.records as value,
    case when classes.records >= 5 then 1 else 0 end as holds
from "sqlanon_class_persons" as classes
