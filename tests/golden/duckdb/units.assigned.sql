select
    unit_classes.class_id,
    coded.q1,
    coded.q2,
    coded.s1,
    persons.x0
from "sqlanon_coded" as coded
inner join "sqlanon_persons" as persons
    on
        coded.w1 = persons.w1
inner join "sqlanon_unit_classes" as unit_classes
    on persons.x0 = unit_classes.x0
