-- relation: leaves
-- grain: one row per value in the data
-- inputs: values_in_use
-- outputs: value, level_*
-- paper: none
-- A level keeps so many leading characters and masks the rest: 12345, 123**.
select
    values_in_use.value,
    cast(values_in_use.value as varchar) as level_0,
    rpad(
        left(cast(values_in_use.value as varchar), 5),
        cast(length(cast(values_in_use.value as varchar)) as integer),
        '*'
    ) as level_1,
    rpad(
        left(cast(values_in_use.value as varchar), 3),
        cast(length(cast(values_in_use.value as varchar)) as integer),
        '*'
    ) as level_2
from "sqlanon_values_q2" as values_in_use
where values_in_use.value is not null
