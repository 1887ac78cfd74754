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