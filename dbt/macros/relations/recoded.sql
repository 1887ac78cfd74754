{# Written from sql_templates/release/recoded.sql.j2; change that, and write this anew. #}
{% macro select_recoded(boxes, domains, published, sets) %}
-- relation: recoded
-- grain: one row per class as formed
-- inputs: boxes, domain_*, sets_*
-- outputs: class_id, p*, ordinal
-- paper: none
-- What is published in place of each quasi-identifier, the same for every record of the class. The
-- ordinal orders the classes by what they publish and by nothing else, so that the release can be
-- written in an order that tells no more than its cells do.
with cells as (
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
        case when boxes.{{ q }}_low > 0 then low_{{ q }}.value end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.form == "upper" %}
        case when boxes.{{ q }}_low > 0 then high_{{ q }}.value end as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.form == "set" %}
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
{%- if column.form == "set" %}
    inner join {{ sets[q] }} as sets_{{ q }}
        on boxes.class_id = sets_{{ q }}.class_id
{%- else %}
    inner join {{ domains[q] }} as low_{{ q }}
        on boxes.{{ q }}_low = low_{{ q }}.code
    inner join {{ domains[q] }} as high_{{ q }}
        on boxes.{{ q }}_high = high_{{ q }}.code
{%- endif %}
{%- endfor %}
)

select
    cells.class_id,
{%- for column in published %}
    cells.{{ column.alias }},
{%- endfor %}
    cast(
        dense_rank() over (
            order by
{%- for column in published %}
                cells.{{ column.alias }} nulls first{{ sqlanon.comma(loop) }}
{%- endfor %}
        ) as integer
    ) as ordinal
from cells
{% endmacro %}
