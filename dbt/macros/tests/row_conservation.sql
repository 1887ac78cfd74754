{# The release has as many rows as the records it was made of. #}
{% test row_conservation(model, records) %}
with sqlanon_size as (
{{ sqlanon.select_size(records) }}
)

select
    lost.records_in,
    lost.records_out
from (
{{ sqlanon.select_check_conserved("sqlanon_size", model) }}
) as lost
{% endtest %}
