-- relation: check_apart
-- grain: one row if a release that is not followed has persons who are here
-- inputs: persons, members
-- outputs: persons
-- paper: none
select count(*) as persons
from "sqlanon_persons" as persons
inner join "memory"."main"."visits_other__members" as members
    on
        persons.w1 = members."town"
        and persons.w2 = members."age"
having count(*) > 0
