select
    shortfalls.class_id,
    shortfalls.class_id as into_class
from "sqlanon_micro_shortfalls" as shortfalls
where shortfalls.short > 0
