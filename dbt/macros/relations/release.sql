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
        recoded.{{ column.alias }}{{ "," if not loop.last }}
{%- endfor %}
    from {{ recoded }} as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)

select
{%- for column in published %}
    tuples.{{ column.alias }} as {{ adapter.quote(column.name) }}{{ "," if not loop.last or sensitive or insensitive }}
{%- endfor %}
{%- for column in sensitive %}
{%- if column.padded %}
    cast(domain_{{ column.alias }}.value as {{ column.padded }}) as {{ adapter.quote(column.name) }}{{ "," if not loop.last or insensitive }}
{%- else %}
    domain_{{ column.alias }}.value as {{ adapter.quote(column.name) }}{{ "," if not loop.last or insensitive }}
{%- endif %}
{%- endfor %}
{%- for column in insensitive %}
{%- if column.padded %}
    cast(ordered.{{ column.alias }} as {{ column.padded }}) as {{ adapter.quote(column.name) }}{{ "," if not loop.last }}
{%- else %}
    ordered.{{ column.alias }} as {{ adapter.quote(column.name) }}{{ "," if not loop.last }}
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
    ordered.ordinal{{ "," if sensitive or insensitive }}
{%- for column in sensitive %}
    ordered.{{ column.alias }}{{ "," if not loop.last or insensitive }}
{%- endfor %}
{%- for column in insensitive %}
    ordered.{{ column.alias }}{% if column.telling %}, {{ column.telling }}(ordered.{{ column.alias }}){% endif %}{{ "," if not loop.last }}
{%- endfor %}
{% endmacro %}
