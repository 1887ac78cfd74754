-- relation: guarded
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Xiao and Tao 2006, section 3
-- Of both sides of every cut, and every node of the hierarchy that a record there guards, how many
-- records have a value under it: the most, 0 where nothing is guarded.
with owned as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        positions.own,
        sum(left_values.left_1) as left_1,
        sum(left_values.held - left_values.left_1) as right_1,
        sum(left_values.left_2) as left_2,
        sum(left_values.held - left_values.left_2) as right_2,
        sum(left_values.left_3) as left_3,
        sum(left_values.held - left_values.left_3) as right_3,
        sum(left_values.left_4) as left_4,
        sum(left_values.held - left_values.left_4) as right_4
    from "sqlanon_tree_left_s2" as left_values
    inner join "sqlanon_positions_s2" as positions
        on left_values.value = positions.code
    group by left_values.node, left_values.attribute, left_values.dealt, positions.own
),

guarding as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        positions.low,
        positions.high,
        sum(left_values.left_1) as left_1,
        sum(left_values.held - left_values.left_1) as right_1,
        sum(left_values.left_2) as left_2,
        sum(left_values.held - left_values.left_2) as right_2,
        sum(left_values.left_3) as left_3,
        sum(left_values.held - left_values.left_3) as right_3,
        sum(left_values.left_4) as left_4,
        sum(left_values.held - left_values.left_4) as right_4
    from "sqlanon_tree_left_s2" as left_values
    inner join "sqlanon_positions_s2" as positions
        on left_values.value = positions.code
    where positions.low is not null
    group by left_values.node, left_values.attribute, left_values.dealt, positions.low, positions.high
),

under_nodes as (
    select
        guarding.node,
        guarding.attribute,
        guarding.dealt,
        case when max(guarding.left_1) > 0 then sum(owned.left_1) else 0 end as left_1,
        case when max(guarding.right_1) > 0 then sum(owned.right_1) else 0 end as right_1,
        case when max(guarding.left_2) > 0 then sum(owned.left_2) else 0 end as left_2,
        case when max(guarding.right_2) > 0 then sum(owned.right_2) else 0 end as right_2,
        case when max(guarding.left_3) > 0 then sum(owned.left_3) else 0 end as left_3,
        case when max(guarding.right_3) > 0 then sum(owned.right_3) else 0 end as right_3,
        case when max(guarding.left_4) > 0 then sum(owned.left_4) else 0 end as left_4,
        case when max(guarding.right_4) > 0 then sum(owned.right_4) else 0 end as right_4
    from guarding
    inner join owned
        on
            guarding.node = owned.node
            and guarding.attribute = owned.attribute
            and guarding.dealt = owned.dealt
            and guarding.low <= owned.own
            and guarding.high >= owned.own
    group by guarding.node, guarding.attribute, guarding.dealt, guarding.low, guarding.high
    union all
    select
        owned.node,
        owned.attribute,
        owned.dealt,
        0 as left_1,
        0 as right_1,
        0 as left_2,
        0 as right_2,
        0 as left_3,
        0 as right_3,
        0 as left_4,
        0 as right_4
    from owned
)

select
    under_nodes.node,
    under_nodes.attribute,
    under_nodes.dealt,
    cast(max(under_nodes.left_1) as bigint) as left_1,
    cast(max(under_nodes.right_1) as bigint) as right_1,
    cast(max(under_nodes.left_2) as bigint) as left_2,
    cast(max(under_nodes.right_2) as bigint) as right_2,
    cast(max(under_nodes.left_3) as bigint) as left_3,
    cast(max(under_nodes.right_3) as bigint) as right_3,
    cast(max(under_nodes.left_4) as bigint) as left_4,
    cast(max(under_nodes.right_4) as bigint) as right_4
from under_nodes
group by under_nodes.node, under_nodes.attribute, under_nodes.dealt
