select distinct
    coded.s1 as code,
    persons.x0
from "sqlanon_coded" as coded
inner join "sqlanon_persons" as persons
    on
        coded.w1 = persons.w1
