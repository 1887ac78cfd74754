select
    classes.class_id, classes.records, classes.p1 as "age", classes.p2 as "visits", classes.p3 as "sex",
    classes.records as "k_anonymity"
from "sqlanon_classes" as classes
