{# Written from sql_templates/insensitive/commonest.sql.j2; change that, and write this anew. #}
{% macro select_commonest(records, quasi_identifiers) %}
-- relation: commonest
-- grain: one row per quasi-identifier
-- inputs: records
-- outputs: number, records, commonest
-- paper: none
-- How many records there are, and how many of them have the commonest value of the quasi-identifier.
select counted.number, cast(sum(counted.records) as {{ sqlanon.double() }}) as records, max(counted.records) as commonest
from (
    select
        count(*) as records,
        case
{%- for column in quasi_identifiers %}
            when grouping(records.{{ column }}) = 0 then {{ loop.index }}
{%- endfor %}
        end as number
    from {{ records }} as records
    group by grouping sets ({% for column in quasi_identifiers %}(records.{{ column }}){{ sqlanon.comma_space(loop) }}{% endfor %})
) as counted
group by counted.number
{% endmacro %}
