-- relation: demands
-- grain: one row per class that can be read and tuple of sensitive and insensitive values in it
-- inputs: shown, classes, boxes, tuples
-- outputs: class_id, tuple_id, needed, reachable, node, inside
-- paper: none
-- How many records the class publishes with the tuple: the source must have them inside the class.
select
    boxes.class_id,
    tuples.tuple_id,
    count(*) as needed,
    count(*) as reachable,
    0 as node,
    0 as inside
from "sqlanon_shown" as shown
inner join "sqlanon_shown_classes" as classes
    on
        shown.p1 is not distinct from classes.p1
        and shown.p2 is not distinct from classes.p2
        and shown.p3 is not distinct from classes.p3
        and shown.p4 is not distinct from classes.p4
        and shown.p5 is not distinct from classes.p5
        and shown.p6 is not distinct from classes.p6
        and shown.p7 is not distinct from classes.p7
        and shown.p8 is not distinct from classes.p8
inner join "sqlanon_boxes" as boxes
    on classes.class_id = boxes.class_id
inner join "sqlanon_shown_tuples" as tuples
    on
        cast(shown.s1 as varchar) is not distinct from tuples.s1
        and cast(shown.s2 as varchar) is not distinct from tuples.s2
        and cast(shown.s3 as varchar) is not distinct from tuples.s3
        and cast(shown.x1 as varchar) is not distinct from tuples.x1
group by boxes.class_id, tuples.tuple_id
