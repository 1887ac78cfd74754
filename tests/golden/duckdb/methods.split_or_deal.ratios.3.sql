-- relation: ratios
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Brickell & Shmatikov 2008, definition 3
-- Of both sides of every cut, how many values have a share that is as many times that in the table as
-- the bound, or as many times below it. Every node holds every value: the table does, and so does what
-- such cuts leave of it.
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
