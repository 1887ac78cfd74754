select
    cast(scale_q2.code as bigint) * 1 + 0 as scale_code,
    case when scale_q2.code <> 0 then scale_q2.axis end as axis,
    cast(333333333 as bigint) as units,
    scale_q2.code as node_0,
    cast(0 as bigint) as loss_0
from "sqlanon_scale_q2" as scale_q2
