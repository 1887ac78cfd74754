{# Written from sql_templates/macros/published_cells.sql.j2; change that, and write this anew. #}
{# The cell that every class publishes in each column that stands for a quasi-identifier. How a cell is
   written is a file of macros/written; it reads the two ends of the class, or what was found for it. #}
{% macro published_cells(published, boxes, domains, sets) -%}
select
        boxes.class_id,
{%- for column in published %}
        {{ sqlanon["written_" ~ column.written ~ "_cell"](column) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ boxes }} as boxes
{%- for q in published | map(attribute="attribute") | unique %}
{%- if q in sets %}
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