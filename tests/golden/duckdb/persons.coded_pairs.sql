-- relation: coded_pairs
-- grain: one row per person and value of a sensitive attribute that he or she has
-- inputs: coded, persons
-- outputs: code, x0
-- paper: none
select distinct
    coded.s1 as code,
    persons.x0
from "sqlanon_coded" as coded
inner join "sqlanon_persons" as persons
    on
        coded.w1 = persons.w1
        and coded.w2 = persons.w2
