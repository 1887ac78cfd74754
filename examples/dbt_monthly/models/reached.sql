-- What the release reaches, month by month: read from its metrics, which dbt knows as a model.
select
    metric,
    attribute,
    value as reached,
    threshold as asked_for
from {{ ref('admitted_public__metrics') }}
