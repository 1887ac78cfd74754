{# Written from sql_templates/domains/check_covered.sql.j2; change that, and write this anew. #}
{% macro select_check_covered(values_in_use, leaves, height) %}
-- relation: check_covered
-- grain: one row if a value in the data has no leaf or a leaf has no group
-- inputs: values_in_use, leaves
-- outputs: missing, used, records
-- paper: none
select
    count(*) as missing,
    (select count(*) from {{ values_in_use }}) as used,
    sum(values_in_use.records) as records
from {{ values_in_use }} as values_in_use
left join {{ leaves }} as leaves
    on values_in_use.value = leaves.value
where
    values_in_use.value is not null
    and (
        leaves.level_0 is null
{%- for level in range(1, height) %}
        or leaves.level_{{ level }} is null
{%- endfor %}
    )
having count(*) > 0
{% endmacro %}
