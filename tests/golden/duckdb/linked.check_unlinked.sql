-- relation: check_unlinked
-- grain: one row if pseudonyms of the source are in an earlier release too
-- inputs: records, released
-- outputs: pseudonyms
-- paper: none
select count(distinct records.x1) as pseudonyms
from "sqlanon_records" as records
inner join "linked_first" as released
    on records.x1 = released."nr"
having count(*) > 0
