with sides as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        1 as cut,
        1 as is_left,
        left_values.value,
        left_values.left_1 as records
    from "sqlanon_tree_left_s3" as left_values
    where left_values.left_1 > 0
    union all
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        1 as cut,
        0 as is_left,
        left_values.value,
        left_values.held - left_values.left_1 as records
    from "sqlanon_tree_left_s3" as left_values
    where left_values.held > left_values.left_1
    union all
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        2 as cut,
        1 as is_left,
        left_values.value,
        left_values.left_2 as records
    from "sqlanon_tree_left_s3" as left_values
    where left_values.left_2 > 0
    union all
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        2 as cut,
        0 as is_left,
        left_values.value,
        left_values.held - left_values.left_2 as records
    from "sqlanon_tree_left_s3" as left_values
    where left_values.held > left_values.left_2

),

ranked as (
    select
        sides.node,
        sides.attribute,
        sides.dealt,
        sides.cut,
        sides.is_left,
        sides.records,
        row_number() over (
            partition by sides.node, sides.attribute, sides.dealt, sides.cut, sides.is_left
            order by sides.records desc, sides.value asc
        ) as frequency_rank
    from sides
)

select
    ranked.node,
    ranked.attribute,
    ranked.dealt,
    max(
        case
            when ranked.cut = 1 and ranked.is_left = 1 and ranked.frequency_rank = 1
                then ranked.records
            else 0
        end
    ) as left_head_1,
    sum(
        case
            when ranked.cut = 1 and ranked.is_left = 1 and ranked.frequency_rank >= 1
                then ranked.records
            else 0
        end
    ) as left_tail_1,
    max(
        case
            when ranked.cut = 1 and ranked.is_left = 0 and ranked.frequency_rank = 1
                then ranked.records
            else 0
        end
    ) as right_head_1,
    sum(
        case
            when ranked.cut = 1 and ranked.is_left = 0 and ranked.frequency_rank >= 1
                then ranked.records
            else 0
        end
    ) as right_tail_1,
    max(
        case
            when ranked.cut = 2 and ranked.is_left = 1 and ranked.frequency_rank = 1
                then ranked.records
            else 0
        end
    ) as left_head_2,
    sum(
        case
            when ranked.cut = 2 and ranked.is_left = 1 and ranked.frequency_rank >= 1
                then ranked.records
            else 0
        end
    ) as left_tail_2,
    max(
        case
            when ranked.cut = 2 and ranked.is_left = 0 and ranked.frequency_rank = 1
                then ranked.records
            else 0
        end
    ) as right_head_2,
    sum(
        case
            when ranked.cut = 2 and ranked.is_left = 0 and ranked.frequency_rank >= 1
                then ranked.records
            else 0
        end
    ) as right_tail_2
from ranked
group by ranked.node, ranked.attribute, ranked.dealt
