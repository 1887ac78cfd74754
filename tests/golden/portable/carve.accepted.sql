-- relation: accepted
-- grain: one row
-- inputs: accepted_values
-- outputs: classes, records
-- paper: none
-- How many classes a band of lattice nodes gave, and their records.
select
    count(distinct accepted_values.class_id) as classes,
    cast(coalesce(sum(accepted_values.taken), 0) as bigint) as records
from "sqlanon_carve_accepted" as accepted_values
