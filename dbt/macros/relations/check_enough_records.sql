{# Written from sql_templates/source/check_enough_records.sql.j2; change that, and write this anew. #}
{% macro select_check_enough_records(size, k) %}
-- relation: check_enough_records
-- grain: one row if the source has fewer records than a class must have
-- inputs: size
-- outputs: records
-- paper: none
select size.records
from {{ size }} as size
where size.records < {{ k }}
{% endmacro %}
