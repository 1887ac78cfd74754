-- relation: gains
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Cao & Karras 2012, definitions 2 and 3
-- Of both sides of every cut, how many values have a greater share than beta allows: more than 1 + beta
-- times that in the table, or with the enhanced form more than 1 - ln of it.
select
    left_values.node,
    left_values.attribute,
    left_values.dealt,
    sum(
        case
            when
                cast(left_values.left_1 as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * cut_positions.cut_1 * 10
                then 1
            when
                cast(left_values.left_1 as double) * 240 / nullif(cast(positions.records as double) * cut_positions.cut_1, 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as left_1,
    sum(
        case
            when
                cast((left_values.held - left_values.left_1) as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_1) * 10
                then 1
            when
                cast((left_values.held - left_values.left_1) as double) * 240 / nullif(cast(positions.records as double) * (cut_positions.records - cut_positions.cut_1), 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as right_1,
    sum(
        case
            when
                cast(left_values.left_2 as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * cut_positions.cut_2 * 10
                then 1
            when
                cast(left_values.left_2 as double) * 240 / nullif(cast(positions.records as double) * cut_positions.cut_2, 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as left_2,
    sum(
        case
            when
                cast((left_values.held - left_values.left_2) as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_2) * 10
                then 1
            when
                cast((left_values.held - left_values.left_2) as double) * 240 / nullif(cast(positions.records as double) * (cut_positions.records - cut_positions.cut_2), 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as right_2,
    sum(
        case
            when
                cast(left_values.left_3 as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * cut_positions.cut_3 * 10
                then 1
            when
                cast(left_values.left_3 as double) * 240 / nullif(cast(positions.records as double) * cut_positions.cut_3, 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as left_3,
    sum(
        case
            when
                cast((left_values.held - left_values.left_3) as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_3) * 10
                then 1
            when
                cast((left_values.held - left_values.left_3) as double) * 240 / nullif(cast(positions.records as double) * (cut_positions.records - cut_positions.cut_3), 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as right_3,
    sum(
        case
            when
                cast(left_values.left_4 as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * cut_positions.cut_4 * 10
                then 1
            when
                cast(left_values.left_4 as double) * 240 / nullif(cast(positions.records as double) * cut_positions.cut_4, 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as left_4,
    sum(
        case
            when
                cast((left_values.held - left_values.left_4) as decimal(38, 0)) * 240
                > cast(positions.records as decimal(38, 0)) * (cut_positions.records - cut_positions.cut_4) * 10
                then 1
            when
                cast((left_values.held - left_values.left_4) as double) * 240 / nullif(cast(positions.records as double) * (cut_positions.records - cut_positions.cut_4), 0)
                > 1 + ln(240 / cast(positions.records as double))
                then 1
            else 0
        end
    ) as right_4
from "sqlanon_tree_left_s2" as left_values
inner join "sqlanon_tree_positions" as cut_positions
    on left_values.node = cut_positions.node and left_values.attribute = cut_positions.attribute
inner join "sqlanon_positions_s2" as positions
    on left_values.value = positions.code
group by left_values.node, left_values.attribute, left_values.dealt
