-- relation: tuples
-- grain: one row per combination of quasi-identifiers that something is known by
-- inputs: coded
-- outputs: tuple, q*, records
-- paper: Amiri et al. 2023, §3.1
select
    row_number() over (order by coded.q2) as tuple,
    coded.q2,
    count(*) as records
from "sqlanon_coded" as coded
group by coded.q2
