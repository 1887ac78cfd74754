-- relation: leaves
-- grain: one row per leaf of the hierarchy, in the data or not
-- inputs: listed, values_in_use
-- outputs: value, level_*
-- paper: none
select
    values_in_use.value,
    listed.level_0
from "sqlanon_external_listed_q5" as listed
left join "sqlanon_external_values_q5" as values_in_use
    on listed.level_0 = values_in_use.label
