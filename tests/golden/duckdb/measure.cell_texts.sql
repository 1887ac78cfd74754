-- relation: cell_texts
-- grain: one row per equivalence class
-- inputs: classes
-- outputs: class_id, p*
-- paper: none
-- The published cells as a release has them: a table that is checked may hold numbers where a release
-- has text.
select
    classes.class_id,
    cast(classes.p1 as varchar) as p1,
    cast(classes.p2 as varchar) as p2,
    cast(classes.p3 as varchar) as p3,
    cast(classes.p4 as varchar) as p4,
    cast(classes.p5 as varchar) as p5,
    cast(classes.p6 as varchar) as p6,
    classes.p7,
    classes.p8
from "sqlanon_classes" as classes
