select
    recoded.p1 as "age",
    recoded.p2 as "sex"
from "sqlanon_recoded" as recoded
where recoded.alike >= 10
order by
    recoded.p1 nulls first,
    recoded.p2 nulls first
