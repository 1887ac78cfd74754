{# Written from sql_templates/source/size.sql.j2; change that, and write this anew. #}
{% macro select_size(records) %}
-- relation: size
-- grain: one row
-- inputs: records
-- outputs: records
-- paper: none
select count(*) as records
from {{ records }}
{% endmacro %}
