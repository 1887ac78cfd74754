-- relation: assigned
-- grain: one row per record
-- inputs: coded, persons, unit_classes
-- outputs: class_id, q*, s*, x*
-- paper: none
-- All records of a person go to his or her class.
select
    unit_classes.class_id,
    coded.q1,
    coded.q2,
    coded.s1,
    coded.s2,
    persons.x0
from "sqlanon_coded" as coded
inner join "sqlanon_persons" as persons
    on
        coded.w1 = persons.w1
        and coded.w2 = persons.w2
inner join "sqlanon_unit_classes" as unit_classes
    on persons.x0 = unit_classes.x0
