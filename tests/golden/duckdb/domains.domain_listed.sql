select
    listed.code,
    values_in_use.value,
    coalesce(values_in_use.records, 0) as records,
    listed.level_0
from "sqlanon_listed_s2" as listed
left join "sqlanon_values_s2" as values_in_use
    on listed.level_0 = values_in_use.label
union all
select
    0 as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "sqlanon_values_s2" as values_in_use
where values_in_use.value is null
