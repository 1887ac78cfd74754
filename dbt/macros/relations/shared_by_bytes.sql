{# Written from sql_templates/macros/by_bytes.sql.j2; change that, and write this anew. #}
{# Text compared by its bytes, under any collation that its column or the session has. #}
{% macro by_bytes(kind, value) -%}
{{ value }}
{%- endmacro %}