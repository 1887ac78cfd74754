{# Written from sql_templates/source/check_not_empty.sql.j2; change that, and write this anew. #}
{% macro select_check_not_empty(size) %}
-- relation: check_not_empty
-- grain: one row if the source has no record
-- inputs: size
-- outputs: records
-- paper: none
select size.records
from {{ size }} as size
where size.records = 0
{% endmacro %}
