{# Written from sql_templates/release/check_conserved.sql.j2; change that, and write this anew. #}
{% macro select_check_conserved(ledger) %}
-- relation: check_conserved
-- grain: one row if records were lost or invented
-- inputs: ledger
-- outputs: records_in, records_out
-- paper: none
select ledger.records_in, ledger.records_out
from {{ ledger }} as ledger
where ledger.records_in <> ledger.records_out + ledger.records_suppressed
{% endmacro %}
