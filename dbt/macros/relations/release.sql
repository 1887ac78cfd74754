{# Written from sql_templates/release/release.sql.j2; change that, and write this anew. #}
{% macro select_release(ordered, recoded, domains, insensitive, published, sensitive) %}
-- relation: release
-- grain: one row per record
-- inputs: ordered, recoded, domain_*
-- outputs: *
-- paper: none
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with representatives as (
    select min(recoded.class_id) as class_id
    from {{ recoded }} as recoded
    group by recoded.ordinal
),

tuples as (
    select
        recoded.ordinal,
{%- for column in published %}
        recoded.{{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ recoded }} as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)

select
{%- for column in published %}
    tuples.{{ column.alias }} as {{ sqlanon.ident(column.name) }}{{ sqlanon.comma(loop, sensitive or insensitive) }}
{%- endfor %}
{%- for column in sensitive %}
{%- if column.padded %}
    cast(domain_{{ column.alias }}.value as {{ column.padded }}) as {{ sqlanon.ident(column.name) }}{{ sqlanon.comma(loop, insensitive) }}
{%- else %}
    domain_{{ column.alias }}.value as {{ sqlanon.ident(column.name) }}{{ sqlanon.comma(loop, insensitive) }}
{%- endif %}
{%- endfor %}
{%- for column in insensitive %}
{%- if column.padded %}
    cast(ordered.{{ column.alias }} as {{ column.padded }}) as {{ sqlanon.ident(column.name) }}{{ sqlanon.comma(loop) }}
{%- else %}
    ordered.{{ column.alias }} as {{ sqlanon.ident(column.name) }}{{ sqlanon.comma(loop) }}
{%- endif %}
{%- endfor %}
from {{ ordered }} as ordered
inner join tuples
    on ordered.ordinal = tuples.ordinal
{%- for column in sensitive %}
inner join {{ domains[column.alias] }} as domain_{{ column.alias }}
    on ordered.{{ column.alias }} = domain_{{ column.alias }}.code
{%- endfor %}
order by
    ordered.ordinal{{ sqlanon.comma_if(sensitive or insensitive) }}
{%- for column in sensitive %}
    ordered.{{ column.alias }}{{ sqlanon.comma(loop, insensitive) }}
{%- endfor %}
{%- for column in insensitive %}
    ordered.{{ column.alias }}{% if column.tie_breaker %}, {{ column.tie_breaker }}(ordered.{{ column.alias }}){% endif %}{{ sqlanon.comma(loop) }}
{%- endfor %}
{% endmacro %}
