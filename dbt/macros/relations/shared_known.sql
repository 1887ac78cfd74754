{# Written from sql_templates/macros/known.sql.j2; change that, and write this anew. #}
{# A value of the source, and NULL in place of the codes that stand for it. A value that a
   database does not compare as text is compared with the codes as text. #}
{% macro known(column, value) -%}
{% if not column.codes %}{{ value }}
{%- elif column.kind == "label" %}case when cast({{ value }} as {{ dbt.type_string() }}) not in ({% for code in column.codes %}{{ code }}{{ sqlanon.comma_space(loop) }}{% endfor %}) then {{ value }} end
{%- else %}case when {{ value }} not in ({% for code in column.codes %}{{ code }}{{ sqlanon.comma_space(loop) }}{% endfor %}) then {{ value }} end
{%- endif %}
{%- endmacro %}