with surpluses as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        left_values.held * 240 - positions.records * cut_positions.records as whole,
        left_values.left_1 * 240 - positions.records * cut_positions.cut_1 as left_1
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
    ) as right_1
from surpluses
group by surpluses.node, surpluses.attribute, surpluses.dealt
