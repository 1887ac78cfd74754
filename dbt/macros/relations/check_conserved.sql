{# Written from sql_templates/release/check_conserved.sql.j2; change that, and write this anew. #}
{% macro select_check_conserved(size, release) %}
-- relation: check_conserved
-- grain: one row if the release has more or fewer records than the source
-- inputs: size, release
-- outputs: records_in, records_out
-- paper: none
with released as (
    select count(*) as records
    from {{ release }}
)

select
    size.records as records_in,
    released.records as records_out
from {{ size }} as size
cross join released
where size.records <> released.records
{% endmacro %}
