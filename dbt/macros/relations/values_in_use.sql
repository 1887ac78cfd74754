{# Written from sql_templates/source/values_in_use.sql.j2; change that, and write this anew. #}
{% macro select_values_in_use(records, attribute) %}
-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one.
select
    {{ attribute }} as value,
    cast({{ attribute }} as varchar) as label,
    count(*) as records
from {{ records }}
group by {{ attribute }}
{% endmacro %}
