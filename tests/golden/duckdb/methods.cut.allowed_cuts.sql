with kinds as (
    select
        cut_positions.node,
        cut_positions.attribute,
        cut_positions.records,
        listed.dealt,
        cut_positions.cut_1 as left_1,
        cut_positions.records - cut_positions.cut_1 as right_1,
        cut_positions.cut_2 as left_2,
        cut_positions.records - cut_positions.cut_2 as right_2
    from "sqlanon_tree_positions" as cut_positions
    cross join (values (0)) as listed (dealt)
),

tested as (
    select
        kinds.node,
        kinds.attribute,
        kinds.records,
        kinds.dealt,
        kinds.left_1 as cut_1,
        case
            when
                kinds.left_1 >= 2
                and kinds.right_1 >= 2
                then 1
            else 0
        end as allowed_1,
        kinds.left_2 as cut_2,
        case
            when
                kinds.left_2 >= 2
                and kinds.right_2 >= 2
                then 1
            else 0
        end as allowed_2
    from kinds
),

cuts as (
    select listed.cut
    from (values (1), (2)) as listed (cut)
)

select
    tested.node,
    tested.attribute,
    tested.dealt,
    cuts.cut,
    case cuts.cut
        when 1 then tested.cut_1
        when 2 then tested.cut_2
    end as position,
    tested.records
from tested
cross join cuts
where
    case cuts.cut
        when 1 then tested.allowed_1
        when 2 then tested.allowed_2
    end = 1
