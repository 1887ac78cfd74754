-- relation: assigned
-- grain: one row per record
-- inputs: coded, tuple_classes
-- outputs: class_id, q*, s*, x*
-- paper: none
-- Every record of a class that is kept.
select
    tuple_classes.class_id,
    coded.q1,
    coded.q2,
    coded.q3,
    coded.s1
from "sqlanon_coded" as coded
inner join "sqlanon_tuple_classes" as tuple_classes
    on
        coded.q1 = tuple_classes.q1
        and coded.q2 = tuple_classes.q2
        and coded.q3 = tuple_classes.q3
where tuple_classes.failed is null
