-- relation: box_scales
-- grain: one row per quasi-identifier that is published as a box, and code
-- inputs: scale_*
-- outputs: place, axis, units, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- All scales in one relation: what a box loses then takes two joins, however many there are. A code has
-- a place among those of all scales. The codes of an interval have places on an axis, but for NULL (code 0); those of a hierarchy have nodes.
select
    scale_q2.code * 1 + 0 as place,
    case when scale_q2.code <> 0 then scale_q2.axis end as axis,
    cast(333333333 as bigint) as units,
    scale_q2.code as node_0,
    cast(0 as bigint) as loss_0
from "sqlanon_scale_q2" as scale_q2
