{# Written from sql_templates/macros/apart.sql.j2; change that, and write this anew. #}
{# What a reader tells equal values apart by, for a text that is put into other dialects: a function, or the text. #}
{% macro told_apart(how, value) -%}
{% if how == "text" %}cast({{ value }} as {{ dbt.type_string() }})
{%- else %}{{ how }}({{ value }}){% endif %}
{%- endmacro %}