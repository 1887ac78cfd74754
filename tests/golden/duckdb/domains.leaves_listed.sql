select
    values_in_use.value,
    listed.level_0
from "sqlanon_listed_q5" as listed
left join "sqlanon_values_q5" as values_in_use
    on listed.level_0 = values_in_use.label
