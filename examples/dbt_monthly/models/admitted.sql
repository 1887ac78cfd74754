-- The records of one month, which the release is made of: MONTH=2026-02 dbt build
select
    patient_id,
    age,
    sex,
    site,
    health
from {{ ref('admissions') }}
where month = '{{ env_var("MONTH", "2026-01") }}'
