-- relation: leaves
-- grain: one row per value in the data
-- inputs: values_in_use
-- outputs: value, level_*
-- paper: none
-- A level rounds down to a multiple of its width. Whole numbers give closed bands, [20, 24];
-- others give half-open ones, [20, 25).
with banded as (
    select
        values_in_use.value,
        values_in_use.label,
        cast(floor(cast(values_in_use.value as double) / 5) * 5 as bigint)
            as low_1,
        cast(floor(cast(values_in_use.value as double) / 10) * 10 as bigint)
            as low_2,
        cast(floor(cast(values_in_use.value as double) / 20) * 20 as bigint)
            as low_3
    from "sqlanon_values_q1" as values_in_use
    where values_in_use.value is not null
)

select
    banded.value,
    banded.label as level_0,
    '[' || cast(banded.low_1 as varchar) || ', '
    || cast(banded.low_1 + 4 as varchar) || ']'
        as level_1,
    '[' || cast(banded.low_2 as varchar) || ', '
    || cast(banded.low_2 + 9 as varchar) || ']'
        as level_2,
    '[' || cast(banded.low_3 as varchar) || ', '
    || cast(banded.low_3 + 19 as varchar) || ']'
        as level_3
from banded
