-- The records of all whole months, which the growing release is made of.
select
    month,
    patient_id,
    age,
    sex,
    site,
    health
from {{ ref('admissions') }}
where month <= '{{ env_var("MONTH", "2026-01") }}'
