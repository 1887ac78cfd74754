{# Written from sql_templates/macros/stack.sql.j2; change that, and write this anew. #}
{# The stack of blocks in their order: each with the number of the records before it. #}
{% macro stacked_blocks(sensitive) -%}
select
{%- for attribute in sensitive %}
    blocks.{{ attribute }},
{%- endfor %}
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks
{%- endmacro %}

{# The stack by the places of its values, and the span of these: in both `numbers` count the attributes. #}
{% macro placed_cells(stack, sensitive, positions, numbers) -%}
cells as (
    select
{%- for attribute in sensitive %}
        stack.{{ attribute }},
        cast(positions_{{ attribute }}.position - 1 as {{ sqlanon.double() }}) as place_{{ loop.index0 }},
{%- endfor %}
        stack.frequency,
        stack.block
    from {{ stack }} as stack
{%- for attribute in sensitive %}
    inner join {{ positions[attribute] }} as positions_{{ attribute }}
        on stack.{{ attribute }} = positions_{{ attribute }}.code
{%- endfor %}
),

spans as (
    select
{%- for i in numbers %}
        min(cells.place_{{ i }}) as first_{{ i }},
        greatest(max(cells.place_{{ i }}) - min(cells.place_{{ i }}), 1) as span_{{ i }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from cells
)
{%- endmacro %}