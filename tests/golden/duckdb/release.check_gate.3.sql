-- relation: check_gate
-- grain: one row per declared model that does not hold
-- inputs: metrics
-- outputs: metric, attribute, threshold, value, failing_classes, failing_records
-- paper: none
-- The gate: what the published relation does not reach, measured afresh.
select
    metrics.metric,
    metrics.attribute,
    metrics.threshold,
    metrics.value,
    metrics.failing_classes,
    metrics.failing_records
from "visits_third__metrics" as metrics
where metrics.passed = false
