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
        cast(0 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_0 * 1 + rolled.q2_part_0 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        1 as node,
        cast(1 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_0 * 1 + rolled.q2_part_1 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        2 as node,
        cast(2 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_1 * 1 + rolled.q2_part_0 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        3 as node,
        cast(3 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_1 * 1 + rolled.q2_part_1 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        4 as node,
        cast(4 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_2 * 1 + rolled.q2_part_0 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_2 + rolled.q2_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        5 as node,
        cast(5 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_2 * 1 + rolled.q2_part_1 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_2 + rolled.q2_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        6 as node,
        cast(6 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_3 * 1 + rolled.q2_part_0 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_3 + rolled.q2_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        7 as node,
        cast(7 as bigint) * 7200 + rolled.stem * 120 + rolled.q1_part_3 * 1 + rolled.q2_part_1 * 60 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_3 + rolled.q2_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled

)

select
    members.node,
    members.class_id,
    cast(sum(members.records) as bigint) as records,
    cast(sum(members.loss) as bigint) as loss
from members
group by members.node, members.class_id
