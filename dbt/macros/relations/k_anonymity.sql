{# Written from sql_templates/privacy/k_anonymity.sql.j2; change that, and write this anew. #}
{% macro select_k_anonymity(classes, k) %}
-- relation: k_anonymity
-- grain: one row per equivalence class
-- inputs: classes
-- outputs: class_id, value, holds
-- paper: Sweeney 2002; Gowda 2023, §2.4
-- How many records share the published tuple of quasi-identifiers.
select
    classes.class_id,
    classes.records as value,
    case when classes.records >= {{ k }} then 1 else 0 end as holds
from {{ classes }} as classes
{% endmacro %}
