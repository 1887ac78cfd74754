{# Written from sql_templates/domains/domain.sql.j2; change that, and write this anew. #}
{% macro select_domain(leaves, values_in_use, height, tie_breaker) %}
-- relation: domain
-- grain: one row per leaf of the hierarchy; code 0 is NULL, if the data holds it
-- inputs: leaves, values_in_use
-- outputs: code, value, records, level_*, node_*
-- paper: none
-- Leaves are numbered depth first, so that the leaves under every node are neighbours: the lowest
-- common ancestor of any set of leaves is that of its smallest and its largest code. Children
-- stand in the order of their smallest value. A node is named by its first leaf's code; the
-- root, above the highest level here, needs no name.
with ranked as (
    select
        leaves.value,
        case
            when leaves.value is not null
                then row_number() over (order by leaves.value nulls last, leaves.level_0)
        end as value_rank,
{%- for level in range(height) %}
        leaves.level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ leaves }} as leaves
),

first_values as (
    select
        ranked.value,
        ranked.value_rank,
        ranked.level_0{% for level in range(1, height) %},
        ranked.level_{{ level }},
        min(ranked.value_rank) over (
            partition by {% for above in range(level, height) %}ranked.level_{{ above }}{{ sqlanon.comma_space(loop) }}{% endfor %}

        ) as first_{{ level }}{% endfor %}

    from ranked
),

numbered as (
    select
        row_number() over (
            order by
{%- for level in range(height - 1, 0, -1) %}
                first_values.first_{{ level }} nulls last,
                first_values.level_{{ level }},
{%- endfor %}
                first_values.value_rank nulls last,
                first_values.level_0
        ) as code,
        first_values.value,
{%- for level in range(height) %}
        first_values.level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from first_values
),

numbered_and_null as (
    select
        numbered.code,
        numbered.value,
        coalesce(values_in_use.records, 0) as records,
{%- for level in range(height) %}
        numbered.level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from numbered
    left join {{ values_in_use }} as values_in_use
        on
            numbered.value = values_in_use.value
{%- if tie_breaker %}
            and {{ tie_breaker }}(numbered.value) = {{ tie_breaker }}(values_in_use.value)
{%- endif %}
    union all
    select
        0 as code,
        values_in_use.value,
        values_in_use.records,
{%- for level in range(height) %}
        null as level_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ values_in_use }} as values_in_use
    where values_in_use.value is null
)

select
    numbered_and_null.code,
    numbered_and_null.value,
    numbered_and_null.records,
{%- for level in range(height) %}
    numbered_and_null.level_{{ level }},
{%- endfor %}
    numbered_and_null.code as node_0{% for level in range(1, height) %},
    min(numbered_and_null.code) over (
        partition by {% for above in range(level, height) %}numbered_and_null.level_{{ above }}{{ sqlanon.comma_space(loop) }}{% endfor %}

    ) as node_{{ level }}{% endfor %}

from numbered_and_null
{% endmacro %}
