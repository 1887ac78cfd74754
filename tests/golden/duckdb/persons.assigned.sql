select
    unit_classes.class_id,
    coded.q1,
    coded.q2,
    persons.x0
from "sqlanon_coded" as coded
inner join "sqlanon_persons" as persons
    on
        coded.w1 = persons.w1
        and coded.w2 = persons.w2
inner join "sqlanon_continued" as unit_classes
    on persons.x0 = unit_classes.x0
