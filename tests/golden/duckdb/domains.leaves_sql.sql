with named as (
    select values_in_use.value as "sex"
    from "sqlanon_values_q3" as values_in_use
    where values_in_use.value is not null
),

grouped as (
    select
        named."sex" as value
    from named
)

select
    grouped.value,
    values_in_use.label as level_0
from grouped
inner join "sqlanon_values_q3" as values_in_use
    on
        grouped.value = values_in_use.value
