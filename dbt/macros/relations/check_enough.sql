{# Written from sql_templates/recode/check_enough.sql.j2; change that, and write this anew. #}
{% macro select_check_enough(records, k) %}
-- relation: check_enough
-- grain: one row if the source has fewer records than a class must have
-- inputs: records
-- outputs: records
-- paper: none
select count(*) as records
from {{ records }}
having count(*) < {{ k }}
{% endmacro %}
