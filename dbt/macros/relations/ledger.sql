{# Written from sql_templates/release/ledger.sql.j2; change that, and write this anew. #}
{% macro select_ledger(size, release) %}
-- relation: ledger
-- grain: one row
-- inputs: size, release
-- outputs: records_in, records_out, records_suppressed
-- paper: none
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with released as (
    select count(*) as records
    from {{ release }}
)

select
    size.records as records_in,
    released.records as records_out,
    cast(0 as bigint) as records_suppressed
from {{ size }} as size
cross join released
{% endmacro %}
