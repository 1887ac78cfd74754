-- relation: tuples
-- grain: one row per tuple of the population
-- inputs: coded
-- outputs: q*, records
-- paper: none
-- How many rows of the population have each combination.
select
    coded.q1,
    coded.q2,
    coded.q3,
    count(*) as records
from "sqlanon_people_coded" as coded
group by coded.q1, coded.q2, coded.q3
