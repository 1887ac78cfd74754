{# Written from sql_templates/source/values_in_use.sql.j2; change that, and write this anew. #}
{% macro select_values_in_use(records, attribute, folded, tie_breaker) %}
-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
{%- set unsigned = ("case when " ~ attribute ~ " = 0 then abs(" ~ attribute ~ ") else " ~ attribute ~ " end") %}
{%- set value = unsigned if tie_breaker and folded else attribute %}
select
    {{ value }} as value,
    {{ sqlanon.text_of(value) }} as label,
    count(*) as records
from {{ records }}
{%- if tie_breaker and not folded %}
group by {{ attribute }}, {{ tie_breaker }}({{ attribute }})
{%- else %}
group by {{ attribute }}
{%- endif %}
{% endmacro %}
