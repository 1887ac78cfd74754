{# Written from sql_templates/measure/classes.sql.j2; change that, and write this anew. #}
{% macro select_classes(measured, in_any_order, published) %}
-- relation: classes
-- grain: one row per equivalence class: per distinct published tuple of quasi-identifiers
-- inputs: measured
-- outputs: class_id, records, p*
-- paper: none
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
{# Where the numbers are read by nobody, any order does: that of the sizes sorts no text. #}
select
    cast(row_number() over (order by {% if in_any_order is defined %}count(*){% else %}{% for column in published %}measured.{{ column }} nulls first{{ sqlanon.comma_space(loop) }}{% endfor %}{% endif %}) as integer) as class_id,
    count(*) as records, {% for column in published %}measured.{{ column }}{{ sqlanon.comma_space(loop) }}{% endfor %}

from {{ measured }} as measured
group by {% for column in published %}measured.{{ column }}{{ sqlanon.comma_space(loop) }}{% endfor %}
{% endmacro %}
