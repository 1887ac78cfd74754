{# Written from sql_templates/source/check_identifier.sql.j2; change that, and write this anew. #}
{% macro select_check_identifier(holders) %}
-- relation: check_identifier
-- grain: one row if several records or persons have a value of an identifier in common
-- inputs: holders
-- outputs: used, holders
-- paper: none
select holders.used, holders.holders
from {{ holders }} as holders
where holders.used < holders.holders
{% endmacro %}
