select
    profiles.code,
    profiles.code as value,
    cast(sum(profiles.records) as bigint) as records,
    profiles.code as position
from "sqlanon_profiles_b1" as profiles
group by profiles.code
