with periods as (
    select
        values_in_use.value,
        values_in_use.label,
        date_trunc('month', values_in_use.value) as first_1,
        date_trunc('year', values_in_use.value) as first_2
    from "sqlanon_values_q4" as values_in_use
    where values_in_use.value is not null
)

select
    periods.value,
    periods.label as level_0,
    '[' || cast(cast(periods.first_1 as date) as varchar) || ', ' || cast(cast(periods.first_1 + interval '1 month' - interval '1 day' as date) as varchar) || ']' as level_1,
    '[' || cast(cast(periods.first_2 as date) as varchar) || ', ' || cast(cast(periods.first_2 + interval '1 year' - interval '1 day' as date) as varchar) || ']' as level_2
from periods
