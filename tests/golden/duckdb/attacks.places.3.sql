-- relation: places
-- grain: one row per value that a person or a cell has
-- inputs: external, ends
-- outputs: code, value
-- paper: none
-- Numbers from 1 for all values that persons have and that cells begin or end with, in their order.
with held as (
    select cast(external_table.q10 as decimal(38, 0)) as value
    from "sqlanon_external" as external_table
    where external_table.q10 is not null
    union
    select cast(ends.low as decimal(38, 0)) as value
    from "sqlanon_ends_q10" as ends
    where ends.low is not null
    union
    select cast(ends.high as decimal(38, 0)) as value
    from "sqlanon_ends_q10" as ends
    where ends.high is not null
)

select
    cast(row_number() over (order by held.value) as integer) as code,
    held.value
from held
