select
    persons.node,
    count(*) as points,
    cast(sum(persons.persons) as bigint) as persons,
    min(persons.q1) as q1_min,
    max(persons.q1) as q1_max,
    min(persons.q2) as q2_min,
    max(persons.q2) as q2_max
from "sqlanon_external_persons" as persons
group by persons.node
