-- relation: box_scales
-- grain: one row per quasi-identifier that is published as a box, and code
-- inputs: scale_*
-- outputs: place, axis, units, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- All scales in one relation: what a box loses then takes two joins, however many there are. A code has
-- a place among those of all scales. The codes of an interval have places on an axis, but for NULL (code 0); those of a hierarchy have nodes.
select
    scale_q1.code * 6 + 0 as place,
    cast(null as bigint) as axis,
    cast(153846154 as bigint) as units,
    scale_q1.node_0,
    scale_q1.loss_0,
    scale_q1.node_1,
    scale_q1.loss_1,
    scale_q1.node_2,
    scale_q1.loss_2,
    scale_q1.node_3,
    scale_q1.loss_3,
    scale_q1.node_4,
    scale_q1.loss_4
from "sqlanon_scale_q1" as scale_q1
union all
select
    scale_q2.code * 6 + 1 as place,
    cast(null as bigint) as axis,
    cast(153846154 as bigint) as units,
    scale_q2.node_0,
    scale_q2.loss_0,
    scale_q2.node_1,
    scale_q2.loss_1,
    scale_q2.node_2,
    scale_q2.loss_2,
    scale_q2.node_3,
    scale_q2.loss_3,
    cast(null as bigint) as node_4,
    cast(null as bigint) as loss_4
from "sqlanon_scale_q2" as scale_q2
union all
select
    scale_q3.code * 6 + 2 as place,
    cast(null as bigint) as axis,
    cast(76923077 as bigint) as units,
    scale_q3.node_0,
    scale_q3.loss_0,
    scale_q3.node_1,
    scale_q3.loss_1,
    scale_q3.node_2,
    scale_q3.loss_2,
    scale_q3.node_3,
    scale_q3.loss_3,
    cast(null as bigint) as node_4,
    cast(null as bigint) as loss_4
from "sqlanon_scale_q3" as scale_q3
union all
select
    scale_q4.code * 6 + 3 as place,
    cast(null as bigint) as axis,
    cast(153846154 as bigint) as units,
    scale_q4.node_0,
    scale_q4.loss_0,
    scale_q4.node_1,
    scale_q4.loss_1,
    scale_q4.node_2,
    scale_q4.loss_2,
    scale_q4.node_3,
    scale_q4.loss_3,
    cast(null as bigint) as node_4,
    cast(null as bigint) as loss_4
from "sqlanon_scale_q4" as scale_q4
union all
select
    scale_q5.code * 6 + 4 as place,
    cast(null as bigint) as axis,
    cast(153846154 as bigint) as units,
    scale_q5.node_0,
    scale_q5.loss_0,
    scale_q5.node_1,
    scale_q5.loss_1,
    cast(null as bigint) as node_2,
    cast(null as bigint) as loss_2,
    cast(null as bigint) as node_3,
    cast(null as bigint) as loss_3,
    cast(null as bigint) as node_4,
    cast(null as bigint) as loss_4
from "sqlanon_scale_q5" as scale_q5
union all
select
    scale_q7.code * 6 + 5 as place,
    case when scale_q7.code <> 0 then scale_q7.axis end as axis,
    cast(153846154 as bigint) as units,
    scale_q7.code as node_0,
    cast(0 as bigint) as loss_0,
    cast(null as bigint) as node_1,
    cast(null as bigint) as loss_1,
    cast(null as bigint) as node_2,
    cast(null as bigint) as loss_2,
    cast(null as bigint) as node_3,
    cast(null as bigint) as loss_3,
    cast(null as bigint) as node_4,
    cast(null as bigint) as loss_4
from "sqlanon_scale_q7" as scale_q7
