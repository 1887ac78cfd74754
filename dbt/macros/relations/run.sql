{# Written from sql_templates/release/run.sql.j2; change that, and write this anew. #}
{% macro select_run(contents, facts) %}
-- relation: run
-- grain: one row per fact about the run
-- inputs: content_*
-- outputs: item, value
-- paper: none
-- The hashes of the published tables are of this very run, so that a later change of them is noticed.
select facts.item, facts.value
from (
    values
{%- for item, value in facts %}
    ({{ sqlanon.literal(item) }}, {{ sqlanon.literal(value) }}){{ sqlanon.comma(loop) }}
{%- endfor %}
) as facts (item, value)
{%- for content in contents %}
union all
select {{ sqlanon.literal(content.item) }} as item, cast({{ content.name }}.records as {{ dbt.type_string() }}) || ' ' || {{ content.name }}.content as value
from {{ content.relation }} as {{ content.name }}
{%- endfor %}
{% endmacro %}
