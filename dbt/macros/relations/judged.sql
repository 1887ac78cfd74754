{# Written from sql_templates/dbt/judged.sql.j2; change that, and write this anew. #}
{% macro select_judged(metrics, checks) %}
-- relation: judged
-- grain: one row per measure, and one per check, without a message if it passes
-- inputs: metrics, checks
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records, direction, range, sentence, check_number, title, message
-- paper: none
select
    metrics.metric,
    metrics.attribute,
    metrics.value,
    metrics.threshold,
    metrics.passed,
    metrics.failing_classes,
    metrics.failing_records,
    metrics.direction,
    metrics.range,
    metrics.sentence,
    null as check_number,
    null as title,
    null as message
from {{ metrics }} as metrics
union all
select
    null as metric,
    null as attribute,
    null as value,
    null as threshold,
    null as passed,
    null as failing_classes,
    null as failing_records,
    null as direction,
    null as range,
    null as sentence,
    checks.check_number,
    checks.title,
    checks.message
from {{ checks }} as checks
{% endmacro %}
