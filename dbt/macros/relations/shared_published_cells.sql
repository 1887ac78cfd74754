{# Written from sql_templates/macros/published_cells.sql.j2; change that, and write this anew. #}
{# What every class publishes in each column that stands for a quasi-identifier, by the form of its
   cells. An extent that begins with NULL, code 0, has no value to name its end. #}
{% macro published_cells(published, boxes, domains, sets) -%}
select
        boxes.class_id,
{%- for column in published %}
{%- set q = column.attribute %}
{%- if column.form == "interval" %}
        case
            when boxes.{{ q }}_low = boxes.{{ q }}_high then low_{{ q }}.level_0
            when boxes.{{ q }}_low = 0 then '*'
            else '[' || low_{{ q }}.level_0 || ', ' || high_{{ q }}.level_0 || ']'
        end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.form == "lower" %}
        case when boxes.{{ q }}_low > 0 then low_{{ q }}.{% if column.typed %}value{% else %}level_0{% endif %} end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.form == "upper" %}
        case when boxes.{{ q }}_low > 0 then high_{{ q }}.{% if column.typed %}value{% else %}level_0{% endif %} end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.form in ("set", "level", "mean", "median", "mode") %}
        sets_{{ q }}.label as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- else %}
        case
{%- for level in range(column.height) %}
            when low_{{ q }}.node_{{ level }} = high_{{ q }}.node_{{ level }} then low_{{ q }}.level_{{ level }}
{%- endfor %}
            else '*'
        end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endif %}
{%- endfor %}
    from {{ boxes }} as boxes
{%- for column in published if column.form != "upper" %}
{%- set q = column.attribute %}
{%- if column.form in ("set", "level", "mean", "median", "mode") %}
    inner join {{ sets[q] }} as sets_{{ q }}
        on boxes.class_id = sets_{{ q }}.class_id
{%- else %}
    inner join {{ domains[q] }} as low_{{ q }}
        on boxes.{{ q }}_low = low_{{ q }}.code
    inner join {{ domains[q] }} as high_{{ q }}
        on boxes.{{ q }}_high = high_{{ q }}.code
{%- endif %}
{% endfor %}
{%- endmacro %}