{# Written from sql_templates/methods/stack_and_deal/stack.sql.j2; change that, and write this anew. #}
{% macro select_stack(records, order, positions, sensitive, tie_breaker) %}
-- relation: stack
-- grain: one row per combination of sensitive values in the data
-- inputs: records, positions_*
-- outputs: s*, frequency, block, start
-- paper: Gowda 2023, §3.3.1 (one sensitive attribute), §5.3 (several)
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with combinations as (
    select
{%- for attribute in sensitive %}
        records.{{ attribute }} as value_{{ attribute }},
{%- if attribute in tie_breaker %}
        {{ tie_breaker[attribute] }}(records.{{ attribute }}) as told_{{ attribute }},
{%- endif %}
{%- endfor %}
        count(*) as frequency
    from {{ records }} as records
    group by {% for attribute in sensitive %}records.{{ attribute }}{% if attribute in tie_breaker %}, {{ tie_breaker[attribute] }}(records.{{ attribute }}){% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}

),

cells as (
    select
{%- for attribute in sensitive %}
        positions_{{ attribute }}.code as {{ attribute }},
        positions_{{ attribute }}.position - 1 as place_{{ attribute }},
{%- endfor %}
        combinations.frequency
    from combinations
{%- for attribute in sensitive %}
    inner join {{ positions[attribute] }} as positions_{{ attribute }}
        on
            combinations.value_{{ attribute }} is not distinct from positions_{{ attribute }}.value
            -- A value that no record has, which a declared order adds, is NULL here too.
            and positions_{{ attribute }}.records > 0
{%- if attribute in tie_breaker %}
            and combinations.told_{{ attribute }} is not distinct from {{ tie_breaker[attribute] }}(positions_{{ attribute }}.value)
{%- endif %}
{%- endfor %}
),

blocks as (
    select
{%- for attribute in sensitive %}
        cells.{{ attribute }},
{%- endfor %}
        cells.frequency,
        row_number() over (
            order by
{%- if order == "frequency" %}
                cells.frequency desc,
{%- for attribute in sensitive %}
                cells.{{ attribute }} desc{{ sqlanon.comma(loop) }}
{%- endfor %}
{%- elif order == "frequency_lower" %}
                cells.frequency desc,
{%- for attribute in sensitive %}
                cells.{{ attribute }} asc{{ sqlanon.comma(loop) }}
{%- endfor %}
{%- elif order == "value" %}
{%- for attribute in sensitive %}
                cells.place_{{ attribute }}{{ sqlanon.comma(loop) }}
{%- endfor %}
{%- else %}
                -- Boustrophedon: an attribute runs back where the places before it add up to an
                -- odd number, so that neighbours in the stack are neighbours in the matrix.
                cells.place_{{ sensitive[0] }}{{ sqlanon.comma_if(sensitive[1:]) }}
{%- for attribute in sensitive[1:] %}
                case
                    when ({% for before in sensitive[:loop.index] %}cells.place_{{ before }}{{ sqlanon.plus_between(loop) }}{% endfor %}) % 2 = 0
                        then cells.place_{{ attribute }}
                    else -cells.place_{{ attribute }}
                end{{ sqlanon.comma(loop) }}
{%- endfor %}
{%- endif %}
        ) - 1 as block
    from cells
)

{{ sqlanon.stacked_blocks(sensitive) }}
{% endmacro %}
