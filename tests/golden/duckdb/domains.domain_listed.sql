-- relation: domain
-- grain: one row per value of the declared order, in the data or not; code 0 is NULL
-- inputs: listed, values_in_use
-- outputs: code, value, records, level_0
-- paper: none
-- An ordinal attribute whose values the spec lists in order: codes follow the list.
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
