select
    'sex' as attribute,
    count(*) as missing
from "sqlanon_labels_q1" as labels
where labels.value is not null and labels.label is null
having count(*) > 0
