select
    count(*) as missing,
    (select count(*) from "sqlanon_values_q5") as used,
    sum(values_in_use.records) as records
from "sqlanon_values_q5" as values_in_use
left join "sqlanon_leaves_q5" as leaves
    on values_in_use.value = leaves.value
where
    values_in_use.value is not null
    and (
        leaves.level_0 is null
    )
having count(*) > 0
