-- relation: distances_equal
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Li, Li & Venkatasubramanian 2007, §4; equal ground distance
-- The earth mover's distance of both sides of every cut to the table, times the records of the side
-- and of the table: what the side has too much of, over its values.
with surpluses as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        left_values.held * 240 - positions.records * cut_positions.records as whole,
        left_values.left_1 * 240 - positions.records * cut_positions.cut_1 as left_1,
        left_values.left_2 * 240 - positions.records * cut_positions.cut_2 as left_2,
        left_values.left_3 * 240 - positions.records * cut_positions.cut_3 as left_3,
        left_values.left_4 * 240 - positions.records * cut_positions.cut_4 as left_4,
        left_values.left_5 * 240 - positions.records * cut_positions.cut_5 as left_5,
        left_values.left_6 * 240 - positions.records * cut_positions.cut_6 as left_6,
        left_values.left_7 * 240 - positions.records * cut_positions.cut_7 as left_7,
        left_values.left_8 * 240 - positions.records * cut_positions.cut_8 as left_8
    from "sqlanon_tree_left_s1" as left_values
    inner join "sqlanon_positions_s1" as positions
        on left_values.value = positions.code
    inner join "sqlanon_tree_positions" as cut_positions
        on left_values.node = cut_positions.node and left_values.attribute = cut_positions.attribute
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
    ) as right_2,
    sum(case when surpluses.left_3 > 0 then surpluses.left_3 else 0 end) as left_3,
    sum(
        case
            when surpluses.whole > surpluses.left_3 then surpluses.whole - surpluses.left_3
            else 0
        end
    ) as right_3,
    sum(case when surpluses.left_4 > 0 then surpluses.left_4 else 0 end) as left_4,
    sum(
        case
            when surpluses.whole > surpluses.left_4 then surpluses.whole - surpluses.left_4
            else 0
        end
    ) as right_4,
    sum(case when surpluses.left_5 > 0 then surpluses.left_5 else 0 end) as left_5,
    sum(
        case
            when surpluses.whole > surpluses.left_5 then surpluses.whole - surpluses.left_5
            else 0
        end
    ) as right_5,
    sum(case when surpluses.left_6 > 0 then surpluses.left_6 else 0 end) as left_6,
    sum(
        case
            when surpluses.whole > surpluses.left_6 then surpluses.whole - surpluses.left_6
            else 0
        end
    ) as right_6,
    sum(case when surpluses.left_7 > 0 then surpluses.left_7 else 0 end) as left_7,
    sum(
        case
            when surpluses.whole > surpluses.left_7 then surpluses.whole - surpluses.left_7
            else 0
        end
    ) as right_7,
    sum(case when surpluses.left_8 > 0 then surpluses.left_8 else 0 end) as left_8,
    sum(
        case
            when surpluses.whole > surpluses.left_8 then surpluses.whole - surpluses.left_8
            else 0
        end
    ) as right_8
from surpluses
group by surpluses.node, surpluses.attribute, surpluses.dealt
