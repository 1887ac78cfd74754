{# Written from sql_templates/recode/check_labelled.sql.j2; change that, and write this anew. #}
{% macro select_check_labelled(records, labelled, columns) %}
-- relation: check_labelled
-- grain: one row per quasi-identifier of which a value has no label
-- inputs: records, labelled
-- outputs: attribute, missing
-- paper: none
{# No label is NULL, so there are as many labels as values. #}
select counted.attribute, counted.missing
from (
{%- for column in columns %}
    select {{ sqlanon.literal(column.name) }} as attribute, (select count(records.{{ column.alias }}) from {{ records }} as records) - (select count(labelled.{{ sqlanon.ident(column.label) }}) from {{ labelled }} as labelled) as missing
{%- if not loop.last %}
    union all
{%- endif %}
{%- endfor %}
) as counted
where counted.missing <> 0
{% endmacro %}
