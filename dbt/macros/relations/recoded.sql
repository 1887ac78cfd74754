{# Written from sql_templates/release/recoded.sql.j2; change that, and write this anew. #}
{% macro select_recoded(boxes, domains, published, sets) %}
-- relation: recoded
-- grain: one row per class as formed
-- inputs: boxes, domain_*, sets_*
-- outputs: class_id, p*, ordinal
-- paper: none
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with cells as (
    {{ sqlanon.published_cells(published, boxes, domains, sets) | trim }}
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
