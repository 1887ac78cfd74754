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
        cut_positions.records - cut_positions.cut_4 as right_4,
        cut_positions.cut_5 as left_5,
        cut_positions.records - cut_positions.cut_5 as right_5,
        cut_positions.cut_6 as left_6,
        cut_positions.records - cut_positions.cut_6 as right_6,
        cut_positions.cut_7 as left_7,
        cut_positions.records - cut_positions.cut_7 as right_7,
        cut_positions.cut_8 as left_8,
        cut_positions.records - cut_positions.cut_8 as right_8
    from "sqlanon_tree_positions" as cut_positions
    cross join (values (0), (1)) as listed (dealt)
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
                kinds.left_1 >= 10
                and kinds.right_1 >= 10
                and cast(sides_distances_s1.left_1 as decimal(38, 0)) * 10 <= cast(kinds.left_1 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_1 as decimal(38, 0)) * 10 <= cast(kinds.right_1 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_1,
        kinds.left_2 as cut_2,
        case
            when
                kinds.left_2 >= 10
                and kinds.right_2 >= 10
                and cast(sides_distances_s1.left_2 as decimal(38, 0)) * 10 <= cast(kinds.left_2 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_2 as decimal(38, 0)) * 10 <= cast(kinds.right_2 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_2,
        kinds.left_3 as cut_3,
        case
            when
                kinds.left_3 >= 10
                and kinds.right_3 >= 10
                and cast(sides_distances_s1.left_3 as decimal(38, 0)) * 10 <= cast(kinds.left_3 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_3 as decimal(38, 0)) * 10 <= cast(kinds.right_3 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_3,
        kinds.left_4 as cut_4,
        case
            when
                kinds.left_4 >= 10
                and kinds.right_4 >= 10
                and cast(sides_distances_s1.left_4 as decimal(38, 0)) * 10 <= cast(kinds.left_4 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_4 as decimal(38, 0)) * 10 <= cast(kinds.right_4 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_4,
        kinds.left_5 as cut_5,
        case
            when
                kinds.left_5 >= 10
                and kinds.right_5 >= 10
                and cast(sides_distances_s1.left_5 as decimal(38, 0)) * 10 <= cast(kinds.left_5 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_5 as decimal(38, 0)) * 10 <= cast(kinds.right_5 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_5,
        kinds.left_6 as cut_6,
        case
            when
                kinds.left_6 >= 10
                and kinds.right_6 >= 10
                and cast(sides_distances_s1.left_6 as decimal(38, 0)) * 10 <= cast(kinds.left_6 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_6 as decimal(38, 0)) * 10 <= cast(kinds.right_6 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_6,
        kinds.left_7 as cut_7,
        case
            when
                kinds.left_7 >= 10
                and kinds.right_7 >= 10
                and cast(sides_distances_s1.left_7 as decimal(38, 0)) * 10 <= cast(kinds.left_7 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_7 as decimal(38, 0)) * 10 <= cast(kinds.right_7 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_7,
        kinds.left_8 as cut_8,
        case
            when
                kinds.left_8 >= 10
                and kinds.right_8 >= 10
                and cast(sides_distances_s1.left_8 as decimal(38, 0)) * 10 <= cast(kinds.left_8 as decimal(38, 0)) * 240 * 9
                and cast(sides_distances_s1.right_8 as decimal(38, 0)) * 10 <= cast(kinds.right_8 as decimal(38, 0)) * 240 * 9
                then 1
            else 0
        end as allowed_8
    from kinds
    inner join "sqlanon_sides_distances_s1" as sides_distances_s1
        on
            kinds.node = sides_distances_s1.node
            and kinds.attribute = sides_distances_s1.attribute
            and kinds.dealt = sides_distances_s1.dealt
),

places as (
    select listed.place
    from (values (1), (2), (3), (4), (5), (6), (7), (8)) as listed (place)
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
        when 5 then tested.cut_5
        when 6 then tested.cut_6
        when 7 then tested.cut_7
        when 8 then tested.cut_8
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
        when 5 then tested.allowed_5
        when 6 then tested.allowed_6
        when 7 then tested.allowed_7
        when 8 then tested.allowed_8
    end = 1
