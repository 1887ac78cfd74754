{# Written from sql_templates/measure/k_metrics.sql.j2; change that, and write this anew. #}
{% macro select_k_metrics(classes, bounds, direction, k, metric, sentence, threshold) %}
-- relation: metrics
-- grain: one row per declared model
-- inputs: classes
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records, direction, range, sentence
-- paper: none
-- The value that every declared model reaches in its worst class, and the classes that violate it.
{# k alone, which is held to how many records a class has. #}
select
    {{ sqlanon.literal(metric) }} as metric,
    cast(null as {{ dbt.type_string() }}) as attribute,
    cast(min(classes.records) as {{ sqlanon.double() }}) as value,
    cast({{ sqlanon.literal(threshold) }} as {{ dbt.type_string() }}) as threshold,
    coalesce(min(classes.records) >= {{ k }}, false) as passed,
    cast(sum(case when classes.records < {{ k }} then 1 else 0 end) as bigint) as failing_classes,
    cast(sum(case when classes.records < {{ k }} then classes.records else 0 end) as bigint) as failing_records,
    cast({{ sqlanon.literal(direction) }} as {{ dbt.type_string() }}) as direction,
    cast({{ sqlanon.literal(bounds) }} as {{ dbt.type_string() }}) as range,
    cast({{ sqlanon.literal(sentence) }} as {{ dbt.type_string() }}) as sentence
from {{ classes }} as classes
{% endmacro %}
