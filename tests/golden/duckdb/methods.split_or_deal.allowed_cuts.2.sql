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
                and cast(sides_distances_s1.left_1 as decimal(38, 0)) * 10 <= cast(kinds.left_1 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s1.right_1 as decimal(38, 0)) * 10 <= cast(kinds.right_1 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.left_1 as decimal(38, 0)) * 10 <= cast(kinds.left_1 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.right_1 as decimal(38, 0)) * 10 <= cast(kinds.right_1 as decimal(38, 0)) * 480 * 9
                and sides_beta_likeness_s2.left_1 * 1 <= 1 * 0
                and sides_beta_likeness_s2.right_1 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.left_1 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.right_1 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.left_1 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.right_1 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.left_1 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.right_1 * 1 <= 1 * 0
                and sides_diversities_s3.left_values_1 * 1 >= 1 * 1
                and sides_diversities_s3.right_values_1 * 1 >= 1 * 1
                and sides_diversities_s3.left_entropy_1 * 2000000000 >= 1 * -1
                and sides_diversities_s3.right_entropy_1 * 2000000000 >= 1 * -1
                and sides_heads_and_tails_s3.left_head_1 * 1 < sides_heads_and_tails_s3.left_tail_1 * 99
                and sides_heads_and_tails_s3.right_head_1 * 1 < sides_heads_and_tails_s3.right_tail_1 * 99
                and sides_diversities_s3.left_most_1 * 1 <= kinds.left_1 * 1
                and sides_diversities_s3.right_most_1 * 1 <= kinds.right_1 * 1
                then 1
            else 0
        end as allowed_1,
        kinds.left_2 as cut_2,
        case
            when
                kinds.left_2 >= 10
                and kinds.right_2 >= 10
                and cast(sides_distances_s1.left_2 as decimal(38, 0)) * 10 <= cast(kinds.left_2 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s1.right_2 as decimal(38, 0)) * 10 <= cast(kinds.right_2 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.left_2 as decimal(38, 0)) * 10 <= cast(kinds.left_2 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.right_2 as decimal(38, 0)) * 10 <= cast(kinds.right_2 as decimal(38, 0)) * 480 * 9
                and sides_beta_likeness_s2.left_2 * 1 <= 1 * 0
                and sides_beta_likeness_s2.right_2 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.left_2 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.right_2 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.left_2 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.right_2 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.left_2 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.right_2 * 1 <= 1 * 0
                and sides_diversities_s3.left_values_2 * 1 >= 1 * 1
                and sides_diversities_s3.right_values_2 * 1 >= 1 * 1
                and sides_diversities_s3.left_entropy_2 * 2000000000 >= 1 * -1
                and sides_diversities_s3.right_entropy_2 * 2000000000 >= 1 * -1
                and sides_heads_and_tails_s3.left_head_2 * 1 < sides_heads_and_tails_s3.left_tail_2 * 99
                and sides_heads_and_tails_s3.right_head_2 * 1 < sides_heads_and_tails_s3.right_tail_2 * 99
                and sides_diversities_s3.left_most_2 * 1 <= kinds.left_2 * 1
                and sides_diversities_s3.right_most_2 * 1 <= kinds.right_2 * 1
                then 1
            else 0
        end as allowed_2,
        kinds.left_3 as cut_3,
        case
            when
                kinds.left_3 >= 10
                and kinds.right_3 >= 10
                and cast(sides_distances_s1.left_3 as decimal(38, 0)) * 10 <= cast(kinds.left_3 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s1.right_3 as decimal(38, 0)) * 10 <= cast(kinds.right_3 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.left_3 as decimal(38, 0)) * 10 <= cast(kinds.left_3 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.right_3 as decimal(38, 0)) * 10 <= cast(kinds.right_3 as decimal(38, 0)) * 480 * 9
                and sides_beta_likeness_s2.left_3 * 1 <= 1 * 0
                and sides_beta_likeness_s2.right_3 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.left_3 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.right_3 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.left_3 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.right_3 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.left_3 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.right_3 * 1 <= 1 * 0
                and sides_diversities_s3.left_values_3 * 1 >= 1 * 1
                and sides_diversities_s3.right_values_3 * 1 >= 1 * 1
                and sides_diversities_s3.left_entropy_3 * 2000000000 >= 1 * -1
                and sides_diversities_s3.right_entropy_3 * 2000000000 >= 1 * -1
                and sides_heads_and_tails_s3.left_head_3 * 1 < sides_heads_and_tails_s3.left_tail_3 * 99
                and sides_heads_and_tails_s3.right_head_3 * 1 < sides_heads_and_tails_s3.right_tail_3 * 99
                and sides_diversities_s3.left_most_3 * 1 <= kinds.left_3 * 1
                and sides_diversities_s3.right_most_3 * 1 <= kinds.right_3 * 1
                then 1
            else 0
        end as allowed_3,
        kinds.left_4 as cut_4,
        case
            when
                kinds.left_4 >= 10
                and kinds.right_4 >= 10
                and cast(sides_distances_s1.left_4 as decimal(38, 0)) * 10 <= cast(kinds.left_4 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s1.right_4 as decimal(38, 0)) * 10 <= cast(kinds.right_4 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.left_4 as decimal(38, 0)) * 10 <= cast(kinds.left_4 as decimal(38, 0)) * 480 * 9
                and cast(sides_distances_s2.right_4 as decimal(38, 0)) * 10 <= cast(kinds.right_4 as decimal(38, 0)) * 480 * 9
                and sides_beta_likeness_s2.left_4 * 1 <= 1 * 0
                and sides_beta_likeness_s2.right_4 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.left_4 * 1 <= 1 * 0
                and sides_enhanced_beta_likeness_s2.right_4 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.left_4 * 1 <= 1 * 0
                and sides_delta_disclosure_s2.right_4 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.left_4 * 1 <= 1 * 0
                and sides_delta_disclosure_ln_s2.right_4 * 1 <= 1 * 0
                and sides_diversities_s3.left_values_4 * 1 >= 1 * 1
                and sides_diversities_s3.right_values_4 * 1 >= 1 * 1
                and sides_diversities_s3.left_entropy_4 * 2000000000 >= 1 * -1
                and sides_diversities_s3.right_entropy_4 * 2000000000 >= 1 * -1
                and sides_heads_and_tails_s3.left_head_4 * 1 < sides_heads_and_tails_s3.left_tail_4 * 99
                and sides_heads_and_tails_s3.right_head_4 * 1 < sides_heads_and_tails_s3.right_tail_4 * 99
                and sides_diversities_s3.left_most_4 * 1 <= kinds.left_4 * 1
                and sides_diversities_s3.right_most_4 * 1 <= kinds.right_4 * 1
                then 1
            else 0
        end as allowed_4
    from kinds
    inner join "sqlanon_sides_distances_s1" as sides_distances_s1
        on
            kinds.node = sides_distances_s1.node
            and kinds.attribute = sides_distances_s1.attribute
            and kinds.dealt = sides_distances_s1.dealt
    inner join "sqlanon_sides_distances_s2" as sides_distances_s2
        on
            kinds.node = sides_distances_s2.node
            and kinds.attribute = sides_distances_s2.attribute
            and kinds.dealt = sides_distances_s2.dealt
    inner join "sqlanon_sides_beta_likeness_s2" as sides_beta_likeness_s2
        on
            kinds.node = sides_beta_likeness_s2.node
            and kinds.attribute = sides_beta_likeness_s2.attribute
            and kinds.dealt = sides_beta_likeness_s2.dealt
    inner join "sqlanon_sides_enhanced_beta_likeness_s2" as sides_enhanced_beta_likeness_s2
        on
            kinds.node = sides_enhanced_beta_likeness_s2.node
            and kinds.attribute = sides_enhanced_beta_likeness_s2.attribute
            and kinds.dealt = sides_enhanced_beta_likeness_s2.dealt
    inner join "sqlanon_sides_delta_disclosure_s2" as sides_delta_disclosure_s2
        on
            kinds.node = sides_delta_disclosure_s2.node
            and kinds.attribute = sides_delta_disclosure_s2.attribute
            and kinds.dealt = sides_delta_disclosure_s2.dealt
    inner join "sqlanon_sides_delta_disclosure_ln_s2" as sides_delta_disclosure_ln_s2
        on
            kinds.node = sides_delta_disclosure_ln_s2.node
            and kinds.attribute = sides_delta_disclosure_ln_s2.attribute
            and kinds.dealt = sides_delta_disclosure_ln_s2.dealt
    inner join "sqlanon_sides_diversities_s3" as sides_diversities_s3
        on
            kinds.node = sides_diversities_s3.node
            and kinds.attribute = sides_diversities_s3.attribute
            and kinds.dealt = sides_diversities_s3.dealt
    inner join "sqlanon_sides_heads_and_tails_s3" as sides_heads_and_tails_s3
        on
            kinds.node = sides_heads_and_tails_s3.node
            and kinds.attribute = sides_heads_and_tails_s3.attribute
            and kinds.dealt = sides_heads_and_tails_s3.dealt
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
