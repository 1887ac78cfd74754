{# Written from sql_templates/release/ledger_reasons.sql.j2; change that, and write this anew. #}
{% macro select_ledger_reasons(size, release, suppressed) %}
-- relation: ledger
-- grain: one row
-- inputs: size, release, suppressed
-- outputs: records_in, records_out, records_suppressed
-- paper: none
-- The count of the records where some may be left out: those that are published are counted, and
-- those that were left out are counted by the reasons for it.
select
    size.records as records_in,
    released.records as records_out,
    left_out.records as records_suppressed
from {{ size }} as size
cross join (select count(*) as records from {{ release }}) as released
cross join (select cast(coalesce(sum(suppressed.records), 0) as bigint) as records from {{ suppressed }} as suppressed) as left_out
{% endmacro %}
