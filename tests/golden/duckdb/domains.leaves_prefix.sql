select
    values_in_use.value,
    values_in_use.label as level_0,
    rpad(left(values_in_use.label, 2), cast(length(values_in_use.label) as integer), '*') as level_1
from "sqlanon_values_q2" as values_in_use
where values_in_use.value is not null
