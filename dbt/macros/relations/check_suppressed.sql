{# Written from sql_templates/release/check_suppressed.sql.j2; change that, and write this anew. #}
{% macro select_check_suppressed(ledger, denominator, numerator) %}
-- relation: check_suppressed
-- grain: one row if more records were left out than may be, or all of them
-- inputs: ledger
-- outputs: records_in, records_suppressed
-- paper: none
select ledger.records_in, ledger.records_suppressed
from {{ ledger }} as ledger
where
    ledger.records_out = 0
    or cast(ledger.records_suppressed as decimal(38, 0)) * {{ denominator }} > cast(ledger.records_in as decimal(38, 0)) * {{ numerator }}
{% endmacro %}
