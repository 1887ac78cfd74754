{# The release has as many rows as the records it was made of. #}
{% test row_conservation(model, records) %}
with sqlanon_records as (
{{ sqlanon.everything(records) }}
),

sqlanon_release as (
{{ sqlanon.everything(model) }}
),

sqlanon_size as (
{{ sqlanon.select_record_count("sqlanon_records") }}
),

sqlanon_ledger as (
{{ sqlanon.select_ledger("sqlanon_size", "sqlanon_release") }}
)

select
    lost.records_in,
    lost.records_out
from (
{{ sqlanon.select_check_conserved("sqlanon_ledger") }}
) as lost
{% endtest %}
