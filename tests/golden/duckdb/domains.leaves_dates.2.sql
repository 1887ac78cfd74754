-- relation: leaves
-- grain: one row per date or time in the data
-- inputs: values_in_use
-- outputs: value, level_*
-- paper: none
-- A level is a calendar period, written from its first to its last day.
with periods as (
    select
        values_in_use.value,
        values_in_use.label,
        date_trunc('year', values_in_use.value) as first_1,
        date_trunc('century', values_in_use.value) as first_2
    from "sqlanon_values_q1" as values_in_use
    where values_in_use.value is not null
)

select
    periods.value,
    periods.label as level_0,
    '[' || cast(cast(periods.first_1 as date) as varchar) || ', '
    || cast(
        cast(
            periods.first_1 + interval '1 year' - interval '1 day' as date
        ) as varchar
    ) || ']' as level_1,
    '[' || cast(cast(periods.first_2 as date) as varchar) || ', '
    || cast(
        cast(
            periods.first_2 + interval '100 years' - interval '1 day' as date
        ) as varchar
    ) || ']' as level_2
from periods
