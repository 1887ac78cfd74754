{# Written from sql_templates/macros/written/label.sql.j2; change that, and write this anew. #}
{# The label of the lowest node above both ends. #}
{% macro written_label_cell(column) -%}
{% set q = column.attribute -%}
case
{%- for level in range(column.height) %}
            when low_{{ q }}.node_{{ level }} = high_{{ q }}.node_{{ level }} then low_{{ q }}.level_{{ level }}
{%- endfor %}
            else '*'
        end
{%- endmacro %}