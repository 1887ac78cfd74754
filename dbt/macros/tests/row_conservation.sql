{# The release has as many rows as the records it was made of, but for those that were left out of it: what
   `sqlanon compile --dbt` writes has them in <release>__suppressed, which has a row for each reason. #}
{% test row_conservation(model, records, suppressed=none) %}
with sqlanon_records as (
{{ sqlanon.everything(records) }}
),

sqlanon_release as (
{{ sqlanon.everything(model) }}
{%- if suppressed is not none %}
),

sqlanon_suppressed as (
{{ sqlanon.everything(suppressed) }}
),

sqlanon_ledger as (
    select
        (select count(*) from sqlanon_records) as records_in,
        (select count(*) from sqlanon_release) as records_out,
        (select coalesce(sum(left_out.records), 0) from sqlanon_suppressed as left_out) as records_suppressed
)

select
    ledger.records_in,
    ledger.records_out,
    ledger.records_suppressed
from sqlanon_ledger as ledger
where ledger.records_in <> ledger.records_out + ledger.records_suppressed
{%- else %}
),

{{ sqlanon.plan_of_accounting() }}

select
    sqlanon_lost.records_in,
    sqlanon_lost.records_out
from sqlanon_lost
{%- endif %}
{% endtest %}
