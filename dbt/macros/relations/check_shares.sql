{# Written from sql_templates/insensitive/check_shares.sql.j2; change that, and write this anew. #}
{% macro select_check_shares(shares) %}
-- relation: check_shares
-- grain: one row per limit of an insensitive column that is exceeded
-- inputs: shares
-- outputs: metric, attribute, threshold, value, failing_records
-- paper: none
select shares.metric, shares.attribute, shares.threshold, shares.value, shares.failing_records
from {{ shares }} as shares
where shares.failing_records > 0
order by shares.number
{% endmacro %}
