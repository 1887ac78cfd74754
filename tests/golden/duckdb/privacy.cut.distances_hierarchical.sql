with frequencies as (
    select
        0 as level,
        positions.node_0 as value,
        cast(sum(positions.records) as bigint) as records
    from "sqlanon_positions_s1" as positions
    group by positions.node_0
    union all
    select
        1 as level,
        positions.node_1 as value,
        cast(sum(positions.records) as bigint) as records
    from "sqlanon_positions_s1" as positions
    group by positions.node_1

),

held_values as (
    select
        0 as level,
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        positions.node_0 as value,
        cast(sum(left_values.held) as bigint) as held,
        cast(sum(left_values.left_1) as bigint) as left_1,
        cast(sum(left_values.left_2) as bigint) as left_2
    from "sqlanon_tree_left_s1" as left_values
    inner join "sqlanon_positions_s1" as positions
        on left_values.value = positions.code
    group by left_values.node, left_values.attribute, left_values.dealt, positions.node_0
    union all
    select
        1 as level,
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        positions.node_1 as value,
        cast(sum(left_values.held) as bigint) as held,
        cast(sum(left_values.left_1) as bigint) as left_1,
        cast(sum(left_values.left_2) as bigint) as left_2
    from "sqlanon_tree_left_s1" as left_values
    inner join "sqlanon_positions_s1" as positions
        on left_values.value = positions.code
    group by left_values.node, left_values.attribute, left_values.dealt, positions.node_1

),

surpluses as (
    select
        held_values.node,
        held_values.attribute,
        held_values.dealt,
        held_values.held * 240 - frequencies.records * cut_positions.records as whole,
        held_values.left_1 * 240 - frequencies.records * cut_positions.cut_1 as left_1,
        held_values.left_2 * 240 - frequencies.records * cut_positions.cut_2 as left_2
    from held_values
    inner join frequencies
        on held_values.level = frequencies.level and held_values.value = frequencies.value
    inner join "sqlanon_tree_positions" as cut_positions
        on held_values.node = cut_positions.node and held_values.attribute = cut_positions.attribute
)

select
    surpluses.node,
    surpluses.attribute,
    surpluses.dealt,
    sum(case when surpluses.left_1 > 0 then surpluses.left_1 else 0 end) as left_1,
    sum(
        case
            when surpluses.whole > surpluses.left_1 then surpluses.whole - surpluses.left_1
            else 0
        end
    ) as right_1,
    sum(case when surpluses.left_2 > 0 then surpluses.left_2 else 0 end) as left_2,
    sum(
        case
            when surpluses.whole > surpluses.left_2 then surpluses.whole - surpluses.left_2
            else 0
        end
    ) as right_2
from surpluses
group by surpluses.node, surpluses.attribute, surpluses.dealt
