-- relation: nodes
-- grain: one row per cell of a square or cubic grid that holds a person
-- inputs: persons
-- outputs: node, points, persons, q*_min|q*_max
-- paper: none
-- The cells of the grid and the codes that their persons have.
select
    persons.node,
    count(*) as points,
    cast(sum(persons.persons) as bigint) as persons,
    min(persons.q1) as q1_min,
    max(persons.q1) as q1_max,
    min(persons.q2) as q2_min,
    max(persons.q2) as q2_max,
    min(persons.q3) as q3_min,
    max(persons.q3) as q3_max,
    min(persons.q4) as q4_min,
    max(persons.q4) as q4_max,
    min(persons.q5) as q5_min,
    max(persons.q5) as q5_max,
    min(persons.q6) as q6_min,
    max(persons.q6) as q6_max,
    min(persons.q7) as q7_min,
    max(persons.q7) as q7_max
from "sqlanon_external_persons" as persons
group by persons.node
