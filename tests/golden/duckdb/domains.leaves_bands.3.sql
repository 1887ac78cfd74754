-- relation: leaves
-- grain: one row per value in the data
-- inputs: values_in_use
-- outputs: value, level_*
-- paper: none
-- A level rounds down to a multiple of its width, in exact decimals: a double would put large whole
-- numbers into a band beside theirs. Whole numbers give closed bands, [20, 24]; others give half-open
-- ones, [20, 25).
with wholes as (
    select
        values_in_use.value,
        values_in_use.label,
        cast(values_in_use.value as decimal(38, 0)) as whole
    from "sqlanon_values_q3" as values_in_use
    where values_in_use.value is not null
),

banded as (
    select
        wholes.value,
        wholes.label,
        wholes.whole - (wholes.whole % 10 + 10) % 10 as low_1,
        wholes.whole - (wholes.whole % 20 + 20) % 20 as low_2
    from wholes
)

select
    banded.value,
    banded.label as level_0,
    '[' || cast(banded.low_1 as varchar) || ', '
    || cast(banded.low_1 + 9 as varchar) || ']'
        as level_1,
    '[' || cast(banded.low_2 as varchar) || ', '
    || cast(banded.low_2 + 19 as varchar) || ']'
        as level_2
from banded
