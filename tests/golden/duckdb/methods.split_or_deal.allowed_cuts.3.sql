-- relation: allowed_cuts
-- grain: one row per cut that keeps every model
-- inputs: cut_positions, sides_*
-- outputs: node, attribute, dealt, place, position, records
-- paper: sqlanon, Split-or-Deal §5
-- Both sides of the cut hold at least k records and meet every model of every sensitive attribute, as far
-- as that is measured of all cuts: so do the classes, which come from such cuts alone. Whole numbers decide; only the entropy is none, and
-- a side at equality passes within less than a class does. A pooled cut that leaves a large side
-- may be held to a part of t, so that its sides can be cut further.
with kinds as (
    select
        cut_positions.node,
        cut_positions.attribute,
        cut_positions.records,
        listed.dealt,
        cut_positions.cut_1 as left_1,
        cut_positions.records - cut_positions.cut_1 as right_1,
        cut_positions.cut_2 as left_2,
        cut_positions.records - cut_positions.cut_2 as right_2,
        cut_positions.cut_3 as left_3,
        cut_positions.records - cut_positions.cut_3 as right_3,
        cut_positions.cut_4 as left_4,
        cut_positions.records - cut_positions.cut_4 as right_4
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
                kinds.left_1 >= 20
                and kinds.right_1 >= 20
                then 1
            else 0
        end as allowed_1,
        kinds.left_2 as cut_2,
        case
            when
                kinds.left_2 >= 20
                and kinds.right_2 >= 20
                then 1
            else 0
        end as allowed_2,
        kinds.left_3 as cut_3,
        case
            when
                kinds.left_3 >= 20
                and kinds.right_3 >= 20
                then 1
            else 0
        end as allowed_3,
        kinds.left_4 as cut_4,
        case
            when
                kinds.left_4 >= 20
                and kinds.right_4 >= 20
                then 1
            else 0
        end as allowed_4
    from kinds
),

places as (
    select listed.place
    from (values (1), (2), (3), (4)) as listed (place)
)

select
    tested.node,
    tested.attribute,
    tested.dealt,
    places.place,
    case places.place
        when 1 then tested.cut_1
        when 2 then tested.cut_2
        when 3 then tested.cut_3
        when 4 then tested.cut_4
    end as position,
    tested.records
from tested
cross join places
where
    case places.place
        when 1 then tested.allowed_1
        when 2 then tested.allowed_2
        when 3 then tested.allowed_3
        when 4 then tested.allowed_4
    end = 1
