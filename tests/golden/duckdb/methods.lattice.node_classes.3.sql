-- relation: node_classes
-- grain: one row per node of the lattice and class
-- inputs: rolled
-- outputs: node, class_id, records, loss
-- paper: LeFevre et al. 2005, §3.1, rollup
-- The classes of several nodes at once, by ids that are unique among all of them, and what their records
-- lose together.
with members as (
    select
        0 as node,
        cast(0 as bigint) * 240 + rolled.stem * 1 as class_id,
        rolled.records,
        rolled.records * (rolled.loss) as loss
    from "sqlanon_lattice_rolled" as rolled

)

select
    members.node,
    members.class_id,
    cast(sum(members.records) as bigint) as records,
    cast(sum(members.loss) as bigint) as loss
from members
group by members.node, members.class_id
