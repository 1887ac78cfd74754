-- relation: class_values
-- grain: one row per kind of class and value of one sensitive attribute in it
-- inputs: profiles, positions
-- outputs: class_id, code, position, records
-- paper: none
select
    profiles.class_id,
    positions.code,
    positions.position,
    cast(sum(profiles.records) as bigint) as records
from "sqlanon_profiles" as profiles
inner join "sqlanon_positions_s1" as positions
    on profiles.s1 = positions.code
group by profiles.class_id, positions.code, positions.position
