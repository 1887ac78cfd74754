-- relation: box_scales
-- grain: one row per quasi-identifier that is published as a box, and code
-- inputs: scale_*
-- outputs: place, axis, units, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- All scales in one relation: what a box loses then takes two joins, however many there are. A code has
-- a place among those of all scales. The codes of an interval have places on an axis, but for NULL (code 0); those of a hierarchy have nodes.
select
    scale_q1.code * 3 + 0 as place,
    case when scale_q1.code <> 0 then scale_q1.axis end as axis,
    cast(333333333 as bigint) as units,
    scale_q1.code as node_0,
    cast(0 as bigint) as loss_0,
    cast(null as bigint) as node_1,
    cast(null as bigint) as loss_1,
    cast(null as bigint) as node_2,
    cast(null as bigint) as loss_2
from "sqlanon_scale_q1" as scale_q1
union all
select
    scale_q2.code * 3 + 1 as place,
    cast(null as bigint) as axis,
    cast(333333333 as bigint) as units,
    scale_q2.node_0,
    scale_q2.loss_0,
    scale_q2.node_1,
    scale_q2.loss_1,
    scale_q2.node_2,
    scale_q2.loss_2
from "sqlanon_scale_q2" as scale_q2
union all
select
    scale_q3.code * 3 + 2 as place,
    case when scale_q3.code <> 0 then scale_q3.axis end as axis,
    cast(333333333 as bigint) as units,
    scale_q3.code as node_0,
    cast(0 as bigint) as loss_0,
    cast(null as bigint) as node_1,
    cast(null as bigint) as loss_1,
    cast(null as bigint) as node_2,
    cast(null as bigint) as loss_2
from "sqlanon_scale_q3" as scale_q3
