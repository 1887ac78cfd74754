-- relation: check_apart
-- grain: one row if a release that is not followed has persons who are here
-- inputs: persons, members
-- outputs: persons
-- paper: none
-- Names in text are alike whatever their case, and the spaces around them.
select count(*) as persons
from "sqlanon_persons" as persons
inner join "memory"."main"."visits_other__members" as members
    on
        lower(trim(cast(persons.w1 as varchar))) = lower(trim(cast(members."town" as varchar)))
        and persons.w2 = members."age"
having count(*) > 0
