-- relation: classes
-- grain: one row per kind of class, for each number of classes
-- inputs: profiles
-- outputs: class_id, classes, records
-- paper: none
select
    profiles.class_id,
    profiles.classes,
    cast(sum(profiles.records) as bigint) as records
from "sqlanon_profiles" as profiles
group by profiles.class_id, profiles.classes
