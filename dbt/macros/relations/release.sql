{# Written from sql_templates/release/release.sql.j2; change that, and write this anew. #}
{% macro select_release(assigned, recoded, domains, insensitive, published, sensitive) %}
-- relation: release
-- grain: one row per record
-- inputs: assigned, recoded, domain_*
-- outputs: *
-- paper: none
-- The declared columns and nothing else, in the order of the published values: where a row stands
-- tells nothing that its cells do not.
select
{%- for column in published %}
    recoded.{{ column.alias }} as {{ adapter.quote(column.name) }},
{%- endfor %}
{%- for column in sensitive %}
    domain_{{ column.alias }}.value as {{ adapter.quote(column.name) }}{{ "," if not loop.last or insensitive }}
{%- endfor %}
{%- for column in insensitive %}
    assigned.{{ column.alias }} as {{ adapter.quote(column.name) }}{{ "," if not loop.last }}
{%- endfor %}
from {{ assigned }} as assigned
inner join {{ recoded }} as recoded
    on assigned.class_id = recoded.class_id
{%- for column in sensitive %}
inner join {{ domains[column.alias] }} as domain_{{ column.alias }}
    on assigned.{{ column.alias }} = domain_{{ column.alias }}.code
{%- endfor %}
order by
    recoded.ordinal,
{%- for column in sensitive %}
    assigned.{{ column.alias }}{{ "," if not loop.last or insensitive }}
{%- endfor %}
{%- for column in insensitive %}
    assigned.{{ column.alias }}{{ "," if not loop.last }}
{%- endfor %}
{% endmacro %}
