{# The release has as many rows as the records it was made of. #}
{% test row_conservation(model, records) %}
with sqlanon_records as (
{{ sqlanon.everything(records) }}
),

sqlanon_release as (
{{ sqlanon.everything(model) }}
),

{{ sqlanon.plan_of_accounting() }}

select
    sqlanon_lost.records_in,
    sqlanon_lost.records_out
from sqlanon_lost
{% endtest %}
