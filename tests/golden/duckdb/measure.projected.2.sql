-- relation: projected
-- grain: one row per equivalence class
-- inputs: classes
-- outputs: class_id, records
-- paper: Sweeney 2002, k-anonymity of the projection on some of the quasi-identifiers
-- How many records share the class's published tuple of some columns, in whichever classes; NULL equals
-- NULL.
select
    classes.class_id,
    cast(
        sum(classes.records) over (
            partition by classes.p1, classes.p2
        ) as bigint
    ) as records
from "sqlanon_classes" as classes
