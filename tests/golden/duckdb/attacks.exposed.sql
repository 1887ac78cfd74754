-- relation: exposed
-- grain: one row per measure and attribute
-- inputs: attacked
-- outputs: attack, attribute, classes, records, exposed_records, greatest
-- paper: none
-- How much of the release each attack exposes, and what it finds in the worst class.
select
    attacked.attack,
    attacked.attribute,
    count(*) as classes,
    cast(sum(attacked.records) as bigint) as records,
    cast(sum(attacked.exposed * attacked.records) as bigint) as exposed_records,
    max(attacked.value) as greatest
from "patients_public__attacked" as attacked
group by attacked.attack, attacked.attribute
