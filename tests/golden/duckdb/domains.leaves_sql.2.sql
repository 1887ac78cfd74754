-- relation: leaves
-- grain: one row per value in the data
-- inputs: values_in_use
-- outputs: value, level_*
-- paper: none
-- Each level is the user's own expression of the column.
with named as (
    select values_in_use.value as "town"
    from "sqlanon_values_q1" as values_in_use
    where values_in_use.value is not null
),

grouped as (
    select
        named."town" as value
    from named
)

select
    grouped.value,
    values_in_use.label as level_0
from grouped
inner join "sqlanon_values_q1" as values_in_use
    on
        grouped.value = values_in_use.value
