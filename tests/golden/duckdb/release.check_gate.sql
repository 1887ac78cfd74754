select metrics.metric, metrics.attribute, metrics.threshold, metrics.value, metrics.failing_classes, metrics.failing_records
from "visits_third__metrics" as metrics
where metrics.passed = false
