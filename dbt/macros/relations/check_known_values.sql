{# Written from sql_templates/measure/check_known_values.sql.j2; change that, and write this anew. #}
{% macro select_check_known_values(measured, positions, attribute, tie_breaker) %}
-- relation: check_known_values
-- grain: one row if a sensitive value of the measured table is not in the reference table
-- inputs: measured, positions
-- outputs: unknown, records
-- paper: none
with used as (
    select
        measured.{{ attribute }} as value,
{%- if tie_breaker %}
        {{ tie_breaker }}(measured.{{ attribute }}) as tie_breaker,
{%- endif %}
        count(*) as records
    from {{ measured }} as measured
    group by measured.{{ attribute }}{% if tie_breaker %}, {{ tie_breaker }}(measured.{{ attribute }}){% endif %}

)

select
    count(*) as unknown,
    cast(sum(used.records) as bigint) as records
from used
left join {{ positions }} as positions
    on
        used.value is not distinct from positions.value
{%- if tie_breaker %}
        and used.tie_breaker is not distinct from {{ tie_breaker }}(positions.value)
{%- endif %}
        and (positions.records > 0)
where positions.code is null
having count(*) > 0
{% endmacro %}
