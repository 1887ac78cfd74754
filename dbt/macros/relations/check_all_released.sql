{# Written from sql_templates/recode/check_all_released.sql.j2; change that, and write this anew. #}
{% macro select_check_all_released(records, release) %}
-- relation: check_all_released
-- grain: one row if records were lost or invented
-- inputs: records, release
-- outputs: records_in, records_out
-- paper: none
select source.records as records_in, released.records as records_out
from (select count(*) as records from {{ records }}) as source
cross join (select count(*) as records from {{ release }}) as released
where source.records <> released.records
{% endmacro %}
