{# Written from sql_templates/macros/tie_breaker.sql.j2; change that, and write this anew. #}
{# The difference between values that are equal: the sign of zero, or the text. #}
{% macro tie_breaker(how, value) -%}
{{ sqlanon.told_apart(how, value) }}
{%- endmacro %}