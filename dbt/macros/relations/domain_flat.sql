{# Written from sql_templates/domains/domain_flat.sql.j2; change that, and write this anew. #}
{% macro select_domain_flat(values_in_use, tie_breaker) %}
-- relation: domain
-- grain: one row per distinct value in the data; code 0 is NULL
-- inputs: values_in_use
-- outputs: code, value, records, level_0
-- paper: none
-- An attribute without a hierarchy: codes follow the order of its values.
select
    row_number() over (
        order by values_in_use.value{% if tie_breaker %}, {{ tie_breaker }}(values_in_use.value) desc{% endif %}

    ) as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from {{ values_in_use }} as values_in_use
where values_in_use.value is not null
union all
select
    0 as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from {{ values_in_use }} as values_in_use
where values_in_use.value is null
{% endmacro %}
