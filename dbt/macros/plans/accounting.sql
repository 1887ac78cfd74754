{# Written from the plan of a run: what became of sqlanon_records in sqlanon_release. #}
{% macro plan_of_accounting() -%}
sqlanon_size as (
{{ sqlanon.select_record_count(records="sqlanon_records") }}
),

sqlanon_ledger as (
{{ sqlanon.select_ledger(size="sqlanon_size", release="sqlanon_release") }}
),

sqlanon_lost as (
{{ sqlanon.select_check_conserved(ledger="sqlanon_ledger") }}
)
{%- endmacro %}
