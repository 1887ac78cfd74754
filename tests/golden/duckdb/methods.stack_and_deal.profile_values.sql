select
    profiles.class_id,
    positions.code,
    positions.position,
    cast(sum(profiles.records) as bigint) as records
from "sqlanon_profiles" as profiles
inner join "sqlanon_positions_s1" as positions
    on profiles.s1 = positions.code
group by profiles.class_id, positions.code, positions.position
