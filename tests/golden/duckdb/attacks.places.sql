with held as (
    select cast(external_table.q3 as date) as value
    from "sqlanon_external" as external_table
    where external_table.q3 is not null
    union
    select cast(ends.low as date) as value
    from "sqlanon_ends_q3" as ends
    where ends.low is not null
    union
    select cast(ends.high as date) as value
    from "sqlanon_ends_q3" as ends
    where ends.high is not null
)

select
    cast(row_number() over (order by held.value) as integer) as code,
    held.value
from held
