select
    attacked.attack,
    attacked.attribute,
    count(*) as classes,
    cast(sum(attacked.records) as bigint) as records,
    cast(sum(attacked.exposed * attacked.records) as bigint) as exposed_records,
    max(attacked.value) as greatest
from "patients_public__attacked" as attacked
group by attacked.attack, attacked.attribute
