{# Written from sql_templates/privacy/k_anonymity.sql.j2; change that, and write this anew. #}
{% macro select_k_anonymity(classes) %}
-- relation: k_anonymity
-- grain: one row per equivalence class
-- inputs: classes
-- outputs: class_id, value, amount, scale
-- paper: Sweeney 2002; Gowda 2023, §2.4
-- How many records share the published tuple of quasi-identifiers.
select
    classes.class_id, classes.records as value, cast(classes.records as decimal(38, 0)) as amount, 1 as scale
from {{ classes }} as classes
{% endmacro %}
