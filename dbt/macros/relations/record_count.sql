{# Written from sql_templates/source/record_count.sql.j2; change that, and write this anew. #}
{% macro select_record_count(records) %}
-- relation: record_count
-- grain: one row
-- inputs: records
-- outputs: records
-- paper: none
select count(*) as records
from {{ records }}
{% endmacro %}
