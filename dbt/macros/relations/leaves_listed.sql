{# Written from sql_templates/domains/leaves_listed.sql.j2; change that, and write this anew. #}
{% macro select_leaves_listed(listed, values_in_use, height) %}
-- relation: leaves
-- grain: one row per leaf of the hierarchy, in the data or not
-- inputs: listed, values_in_use
-- outputs: value, level_*
-- paper: none
select
    values_in_use.value,
{%- for level in range(height) %}
    listed.level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ listed }} as listed
left join {{ values_in_use }} as values_in_use
    on listed.level_0 = values_in_use.label
{% endmacro %}
