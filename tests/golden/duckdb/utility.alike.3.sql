-- relation: alike
-- grain: one row per combination of cells in the release
-- inputs: released
-- outputs: q*|s*, records
-- paper: none
-- How many records of the release have each combination of cells.
select
    profiles.q1,
    profiles.q2,
    profiles.q3,
    profiles.q4,
    profiles.q5,
    profiles.q6,
    profiles.q7,
    profiles.q10,
    cast(sum(profiles.records) as double) as records
from "sqlanon_released_profiles" as profiles
group by profiles.q1, profiles.q2, profiles.q3, profiles.q4, profiles.q5, profiles.q6, profiles.q7, profiles.q10
