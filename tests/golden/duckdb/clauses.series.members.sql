select
    placed.class_id,
    persons.w1 as "town",
    persons.w2 as "age"
from "sqlanon_placed" as placed
inner join "sqlanon_persons" as persons
    on placed.x0 = persons.x0
