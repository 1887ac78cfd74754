{# Written from sql_templates/release/check_gate.sql.j2; change that, and write this anew. #}
{% macro select_check_gate(metrics) %}
-- relation: check_gate
-- grain: one row per declared model that does not hold
-- inputs: metrics
-- outputs: metric, attribute, threshold, value, failing_classes, failing_records
-- paper: none
{# The gate: what the published relation does not reach, measured afresh. #}
select metrics.metric, metrics.attribute, metrics.threshold, metrics.value, metrics.failing_classes, metrics.failing_records
from {{ metrics }} as metrics
where metrics.passed = false
{% endmacro %}
