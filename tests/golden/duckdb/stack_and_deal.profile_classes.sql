-- relation: classes
-- grain: one row per kind of class
-- inputs: profiles
-- outputs: class_id, records
-- paper: none
select
    profiles.class_id,
    cast(sum(profiles.records) as bigint) as records
from "sqlanon_profiles" as profiles
group by profiles.class_id
