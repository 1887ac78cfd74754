select
    labels_q1.label as "sex",
    labels_q2.label as "zip",
    labels_q3.label as "age",
    records.s1 as "disease"
from "sqlanon_records" as records
left join "sqlanon_labels_q1" as labels_q1
    on records.q1 = labels_q1.value
left join "sqlanon_labels_q2" as labels_q2
    on records.q2 = labels_q2.value
left join "sqlanon_labels_q3" as labels_q3
    on records.q3 = labels_q3.value
order by
    labels_q1.label nulls first,
    labels_q2.label nulls first,
    labels_q3.label nulls first,
    records.s1
