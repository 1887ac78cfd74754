-- relation: check_read
-- grain: one row if a cell covers no value of the source
-- inputs: profiles, stretches
-- outputs: records
-- paper: none
-- How many records have a cell that stands for no value that the source has.
select cast(sum(profiles.records) as bigint) as records
from "sqlanon_released_profiles" as profiles
left join "sqlanon_stretches_q1_released" as stretches
    on profiles.q1 = stretches.cell
where stretches.cell is null
having count(*) > 0
