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
        cast(0 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_1 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        1 as node,
        cast(1 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_1 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        2 as node,
        cast(2 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_1 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        3 as node,
        cast(3 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_1 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        4 as node,
        cast(4 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_2 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        5 as node,
        cast(5 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_2 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        6 as node,
        cast(6 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_2 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        7 as node,
        cast(7 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_2 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        8 as node,
        cast(8 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_3 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        9 as node,
        cast(9 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_3 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        10 as node,
        cast(10 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_3 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        11 as node,
        cast(11 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_0 + rolled.q2_loss_3 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        12 as node,
        cast(12 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_1 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        13 as node,
        cast(13 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_1 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        14 as node,
        cast(14 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_1 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        15 as node,
        cast(15 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_1 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_1 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        16 as node,
        cast(16 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_2 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        17 as node,
        cast(17 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_2 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        18 as node,
        cast(18 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_2 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        19 as node,
        cast(19 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_2 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        20 as node,
        cast(20 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_3 + rolled.q3_loss_0) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        21 as node,
        cast(21 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_3 + rolled.q3_loss_1) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        22 as node,
        cast(22 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_3 + rolled.q3_loss_2) as loss
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        23 as node,
        cast(23 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.records,
        rolled.records * (rolled.loss + rolled.q1_loss_1 + rolled.q2_loss_3 + rolled.q3_loss_3) as loss
    from "sqlanon_lattice_rolled" as rolled

)

select
    members.node,
    members.class_id,
    cast(sum(members.records) as bigint) as records,
    cast(sum(members.loss) as bigint) as loss
from members
group by members.node, members.class_id
