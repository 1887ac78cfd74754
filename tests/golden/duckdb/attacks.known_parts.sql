select
    persons_1.q1,
    persons_1.q3,
    persons_1.q4
from "sqlanon_known_persons" as persons_1
union
select
    persons_2.q1,
    persons_2.q3,
    persons_2.q4
from "sqlanon_known_records" as persons_2
