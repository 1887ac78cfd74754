{# Written from sql_templates/recode/check_counted.sql.j2; change that, and write this anew. #}
{% macro select_check_counted(whole, attributes) %}
-- relation: check_counted
-- grain: one row per column of which not every record is counted
-- inputs: whole, counted_*
-- outputs: attribute, records
-- paper: none
select missing.attribute, missing.records
from (
{%- for attribute in attributes %}
    select {{ sqlanon.literal(attribute.name) }} as attribute, (select count(*) from {{ whole }}) - (select coalesce(sum({% if attribute.number %}case when counted.attribute = {{ attribute.number }} then counted.records end{% else %}counted.records{% endif %}), 0) from {{ attribute.counted }} as counted) as records
{%- if not loop.last %}
    union all
{%- endif %}
{%- endfor %}
) as missing
where missing.records <> 0
{% endmacro %}
