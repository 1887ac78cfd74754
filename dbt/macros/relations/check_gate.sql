{# Written from sql_templates/release/check_gate.sql.j2; change that, and write this anew. #}
{% macro select_check_gate(metrics) %}
-- relation: check_gate
-- grain: one row per declared model that does not hold
-- inputs: metrics
-- outputs: metric, attribute, threshold, value, failing_classes, failing_records, reached
-- paper: none
{# The gate: what the published relation does not reach, measured afresh. A model of all columns has no attribute, a
   release without records reaches nothing, and not every model has classes: the words leave out what is NULL. #}
select
    metrics.metric, metrics.attribute, metrics.threshold, metrics.value, metrics.failing_classes, metrics.failing_records,
    metrics.metric || coalesce(' ' || metrics.attribute, '') || ': asked for ' || metrics.threshold || ', reached ' || coalesce(cast(metrics.value as {{ dbt.type_string() }}), 'nothing')
    || coalesce('; ' || cast(metrics.failing_classes as {{ dbt.type_string() }}) || ' classes with ' || cast(metrics.failing_records as {{ dbt.type_string() }}) || ' records violate it', '') as reached
from {{ metrics }} as metrics
where metrics.passed = false
{% endmacro %}
