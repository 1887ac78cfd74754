select
    0 as s0,
    count(*) as frequency,
    0 as block,
    cast(0 as bigint) as start
from "sqlanon_records"
