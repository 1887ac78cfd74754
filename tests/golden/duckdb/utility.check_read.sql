select cast(sum(profiles.records) as bigint) as records
from "sqlanon_released_profiles" as profiles
left join "sqlanon_stretches_q1_released" as stretches
    on profiles.q1 = stretches.cell
where stretches.cell is null
having count(*) > 0
