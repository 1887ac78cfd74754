{# Written from sql_templates/macros/written/interval.sql.j2; change that, and write this anew. #}
{# The least and the greatest value, [a, b], or the one there is. An extent that begins with NULL, code
   0, has no value to name its end. #}
{% macro written_interval_cell(column) -%}
{% set q = column.attribute -%}
case
            when boxes.{{ q }}_low = boxes.{{ q }}_high then low_{{ q }}.level_0
            when boxes.{{ q }}_low = 0 then '*'
            else '[' || low_{{ q }}.level_0 || ', ' || high_{{ q }}.level_0 || ']'
        end
{%- endmacro %}