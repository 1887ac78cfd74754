select
    row_number() over (
        order by values_in_use.value
    ) as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "sqlanon_values_q6" as values_in_use
where values_in_use.value is not null
union all
select
    0 as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "sqlanon_values_q6" as values_in_use
where values_in_use.value is null
