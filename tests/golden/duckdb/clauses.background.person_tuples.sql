select
    persons.x0 as tuple,
    persons.w1,
    persons.w2,
    cast(1 as bigint) as records
from "sqlanon_persons" as persons
