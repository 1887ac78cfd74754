select
    profiles.class_id,
    profiles.classes,
    cast(sum(profiles.records) as bigint) as records
from "sqlanon_profiles" as profiles
group by profiles.class_id, profiles.classes
