-- relation: check_covered
-- grain: one row if a value in the data has no leaf or a leaf has no group
-- inputs: values_in_use, leaves
-- outputs: missing, used, records
-- paper: none
select
    count(*) as missing,
    (select count(*) from "sqlanon_values_q1") as used,
    sum(values_in_use.records) as records
from "sqlanon_values_q1" as values_in_use
left join "sqlanon_leaves_q1" as leaves
    on values_in_use.value = leaves.value
where
    values_in_use.value is not null
    and (
        leaves.level_0 is null
        or leaves.level_1 is null
        or leaves.level_2 is null
        or leaves.level_3 is null
    )
having count(*) > 0
