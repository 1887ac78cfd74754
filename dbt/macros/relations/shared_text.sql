{# Written from sql_templates/macros/text.sql.j2; change that, and write this anew. #}
{# A value as text. #}
{% macro text_of(value) -%}
cast({{ value }} as {{ dbt.type_string() }})
{%- endmacro %}