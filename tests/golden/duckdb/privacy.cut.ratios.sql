select
    left_values.node,
    left_values.attribute,
    left_values.dealt,
    sum(
        case
            when
                cast(left_values.left_1 as decimal(38, 0)) * 240
                >= cast(positions.records as decimal(38, 0)) * cut_positions.cut_1 * 512
                then 1
            when
                cast(positions.records as decimal(38, 0)) * cut_positions.cut_1 * 1
                >= cast(left_values.left_1 as decimal(38, 0)) * 122880
                then 1
            else 0
        end
    ) as left_1,
    sum(
        case
            when
                cast((left_values.held - left_values.left_1) as decimal(38, 0)) * 240
                >= cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_1) * 512
                then 1
            when
                cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_1) * 1
                >= cast((left_values.held - left_values.left_1) as decimal(38, 0)) * 122880
                then 1
            else 0
        end
    ) as right_1,
    sum(
        case
            when
                cast(left_values.left_2 as decimal(38, 0)) * 240
                >= cast(positions.records as decimal(38, 0)) * cut_positions.cut_2 * 512
                then 1
            when
                cast(positions.records as decimal(38, 0)) * cut_positions.cut_2 * 1
                >= cast(left_values.left_2 as decimal(38, 0)) * 122880
                then 1
            else 0
        end
    ) as left_2,
    sum(
        case
            when
                cast((left_values.held - left_values.left_2) as decimal(38, 0)) * 240
                >= cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_2) * 512
                then 1
            when
                cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_2) * 1
                >= cast((left_values.held - left_values.left_2) as decimal(38, 0)) * 122880
                then 1
            else 0
        end
    ) as right_2
from "sqlanon_tree_left_s2" as left_values
inner join "sqlanon_tree_positions" as cut_positions
    on left_values.node = cut_positions.node and left_values.attribute = cut_positions.attribute
inner join "sqlanon_positions_s2" as positions
    on left_values.value = positions.code
group by left_values.node, left_values.attribute, left_values.dealt
