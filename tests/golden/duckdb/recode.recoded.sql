with labelled as (
    select
        labels_q1.label as p1,
        '*' as p2
    from "sqlanon_records" as records
    left join "sqlanon_labels_q1" as labels_q1
        on records.q1 = labels_q1.value
)

select
    labelled.p1,
    labelled.p2,
    count(*) over (
        partition by labelled.p1, labelled.p2
    ) as alike
from labelled
