{# Written from sql_templates/methods/stack_and_deal/stacked.sql.j2; change that, and write this anew. #}
{% macro select_stacked(coded, stack, columns, quasi_identifiers, seed, sensitive, ties) %}
-- relation: stacked
-- grain: one row per record
-- inputs: coded, stack
-- outputs: q*, s*, x*|k*, position
-- paper: Gowda 2023, §3.3.1
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Numbered block by block, because a
-- single window over all records would sort them on one thread.
with digested as (
    select
{%- for column in columns %}
        coded.{{ column }},
{%- endfor %}
        {{ sqlanon.digest("coded", quasi_identifiers, seed) }} as digest
    from {{ coded }} as coded
),

shuffled as (
    select
{%- for column in columns %}
        digested.{{ column }},
{%- endfor %}
        {{ sqlanon.scatter("digested.digest") }} as shuffle
    from digested
)

select
{%- for column in columns %}
    shuffled.{{ column }},
{%- endfor %}
    stack.start + row_number() over (
        partition by {% for attribute in sensitive %}shuffled.{{ attribute }}{{ sqlanon.comma_space(loop) }}{% endfor %}

        order by
            shuffled.shuffle,
{%- for column in ties %}
            shuffled.{{ column }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    ) - 1 as position
from shuffled
inner join {{ stack }} as stack
    on
{%- for attribute in sensitive %}
        {{ sqlanon.and_if(not loop.first) }}shuffled.{{ attribute }} = stack.{{ attribute }}
{%- endfor %}
{% endmacro %}
