{# Written from sql_templates/domains/positions.sql.j2; change that, and write this anew. #}
{% macro select_positions(domain, by_frequency, height) %}
-- relation: positions
-- grain: one row per value of a sensitive attribute, and per value its declared order adds
-- inputs: domain
-- outputs: code, value, records, position, node_*
-- paper: Gowda 2023, §2.6.4 and §3.3.1
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
    domain.code,
    domain.value,
    domain.records,
{%- if by_frequency %}
    row_number() over (order by domain.records desc, domain.code desc) as position{{ sqlanon.comma_if(height) }}
{%- else %}
    row_number() over (order by domain.code) as position{{ sqlanon.comma_if(height) }}
{%- endif %}
{%- for level in range(height) %}
    domain.node_{{ level }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ domain }} as domain
{% endmacro %}
