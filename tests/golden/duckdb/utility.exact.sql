select cast(coalesce(sum(case when numbers.covered = 1 then profiles.records else 0 end), 0) as bigint) as exact
from "sqlanon_released_profiles" as profiles
left join "sqlanon_numbers_q1_released" as numbers
    on profiles.q1 = numbers.cell
