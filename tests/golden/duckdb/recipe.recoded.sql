select
    classes.class_id,
    classes.p1,
    classes.p2,
    classes.class_id as ordinal
from "sqlanon_recipe_classes" as classes
