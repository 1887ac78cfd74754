-- relation: node_parts
-- grain: one row per node, class and class of all its splits
-- inputs: placed
-- outputs: node, class_id, finest_id, parent_id, records, loss, finest_loss
-- paper: Bayardo & Agrawal 2005, §4.1
-- What the classes of several nodes share with the finest classes below them, those by all splits that
-- the node has or may yet get; and the class that each comes of, by the splits of the node above.
with members as (
    select
        0 as node,
        cast(0 as bigint) * 27 + placed.q1_part_0 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as class_id,
        cast(0 as bigint) * 27 + placed.q1_part_0 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as finest_id,
        cast(0 as bigint) * 27 + placed.q1_part_0 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as parent_id,
        placed.records,
        placed.records * (placed.q1_loss_0 + placed.q2_loss_0 + placed.q3_loss_0) as loss,
        placed.records * (placed.q1_loss_0 + placed.q2_loss_0 + placed.q3_loss_0) as finest_loss
    from "sqlanon_split_placed" as placed
    union all
    select
        1 as node,
        cast(1 as bigint) * 27 + placed.q1_part_1 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as class_id,
        cast(1 as bigint) * 27 + placed.q1_part_1 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as finest_id,
        cast(1 as bigint) * 27 + placed.q1_part_1 * 1 + placed.q2_part_0 * 3 + placed.q3_part_0 * 9 as parent_id,
        placed.records,
        placed.records * (placed.q1_loss_1 + placed.q2_loss_0 + placed.q3_loss_0) as loss,
        placed.records * (placed.q1_loss_1 + placed.q2_loss_0 + placed.q3_loss_0) as finest_loss
    from "sqlanon_split_placed" as placed
    union all
    select
        2 as node,
        cast(2 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_1 * 3 + placed.q3_part_0 * 9 as class_id,
        cast(2 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_1 * 3 + placed.q3_part_0 * 9 as finest_id,
        cast(2 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_1 * 3 + placed.q3_part_0 * 9 as parent_id,
        placed.records,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_1 + placed.q3_loss_0) as loss,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_1 + placed.q3_loss_0) as finest_loss
    from "sqlanon_split_placed" as placed
    union all
    select
        3 as node,
        cast(3 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_1 * 9 as class_id,
        cast(3 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_1 * 9 as finest_id,
        cast(3 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_1 * 9 as parent_id,
        placed.records,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_0 + placed.q3_loss_1) as loss,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_0 + placed.q3_loss_1) as finest_loss
    from "sqlanon_split_placed" as placed
    union all
    select
        4 as node,
        cast(4 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_2 * 9 as class_id,
        cast(4 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_2 * 9 as finest_id,
        cast(4 as bigint) * 27 + placed.q1_part_2 * 1 + placed.q2_part_0 * 3 + placed.q3_part_2 * 9 as parent_id,
        placed.records,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_0 + placed.q3_loss_2) as loss,
        placed.records * (placed.q1_loss_2 + placed.q2_loss_0 + placed.q3_loss_2) as finest_loss
    from "sqlanon_split_placed" as placed

)

select
    members.node,
    members.class_id,
    members.finest_id,
    min(members.parent_id) as parent_id,
    cast(sum(members.records) as bigint) as records,
    cast(sum(members.loss) as bigint) as loss,
    cast(sum(members.finest_loss) as bigint) as finest_loss
from members
group by members.node, members.class_id, members.finest_id
