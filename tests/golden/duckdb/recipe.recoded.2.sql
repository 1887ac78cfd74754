-- relation: recoded
-- grain: one row per class as formed
-- inputs: classes
-- outputs: class_id, p*, ordinal
-- paper: none
-- What every class publishes: its cells as they stand in the earlier release, by which its classes are numbered.
select
    classes.class_id,
    classes.p1,
    classes.p2,
    classes.class_id as ordinal
from "sqlanon_recipe_classes" as classes
