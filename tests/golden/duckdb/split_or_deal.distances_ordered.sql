-- relation: distances_ordered
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; ordered ground distance
-- The earth mover's distance of both sides of every cut to the table, times (values - 1) and the
-- records of the side and of the table: the sum of what must move past each value. Between two
-- values that the node holds, the cumulated counts of all its sides stand still, so each stretch is
-- summed in closed form. With N records in the side, n in the table, K cumulated in the side and
-- F_i in the table, |F_i N - K n| is summed by its sign, which changes within a stretch at most once:
-- at the crossing, the first F_x N >= K n.
with cumulated as (
    select
        positions.code,
        positions.position,
        positions.records,
        cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint)
            as below
    from "sqlanon_positions_s2" as positions
),

-- F and S up to each value, and up to the one before it.
prefixes as (
    select
        cumulated.code,
        cumulated.position,
        cumulated.below,
        cumulated.below - cumulated.records as below_before,
        cast(sum(cumulated.below) over (order by cumulated.position rows unbounded preceding) as bigint)
        - cumulated.below as summed_before
    from cumulated
),

totals as (
    select
        max(prefixes.below) as records,
        count(*) as domain_size,
        max(prefixes.summed_before) as summed
    from prefixes
),

held as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        prefixes.position,
        prefixes.summed_before,
        prefixes.below,
        lead(prefixes.position) over (
            partition by left_values.node, left_values.attribute, left_values.dealt order by prefixes.position
        ) as next_position,
        left_values.held as value_held,
        cast(
            sum(left_values.left_1) over (
                partition by left_values.node, left_values.attribute, left_values.dealt
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as left_1,
        cast(
            sum(left_values.left_2) over (
                partition by left_values.node, left_values.attribute, left_values.dealt
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as left_2,
        cast(
            sum(left_values.left_3) over (
                partition by left_values.node, left_values.attribute, left_values.dealt
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as left_3,
        cast(
            sum(left_values.left_4) over (
                partition by left_values.node, left_values.attribute, left_values.dealt
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as left_4,
        cast(
            sum(left_values.held) over (
                partition by left_values.node, left_values.attribute, left_values.dealt
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as held
    from "sqlanon_tree_left_s2" as left_values
    inner join prefixes
        on left_values.value = prefixes.code
),

-- Place i is the left side of cut i, and place -i its right side.
places as (
    select
        cut_positions.node,
        cut_positions.attribute,
        listed.place,
        case listed.place
            when 1 then cut_positions.cut_1
            when -1 then cut_positions.records - cut_positions.cut_1
            when 2 then cut_positions.cut_2
            when -2 then cut_positions.records - cut_positions.cut_2
            when 3 then cut_positions.cut_3
            when -3 then cut_positions.records - cut_positions.cut_3
            when 4 then cut_positions.cut_4
            when -4 then cut_positions.records - cut_positions.cut_4
        end as records
    from "sqlanon_tree_positions" as cut_positions
    cross join (
        values (1), (-1), (2), (-2), (3), (-3), (4), (-4)
    ) as listed (place)
),

-- The last stretch ends before the last value, which nothing moves past.
sides as (
    select
        held.node,
        held.attribute,
        held.dealt,
        places.place,
        held.position,
        held.summed_before,
        held.below,
        coalesce(held.next_position, totals.domain_size) as next_position,
        coalesce(later.summed_before, totals.summed) as next_summed_before,
        coalesce(later.below_before, 240) as next_below_before,
        case when held.held = held.value_held then held.summed_before else 0 end as first_summed,
        cast(
            case places.place
                when 1 then held.left_1
                when -1 then held.held - held.left_1
                when 2 then held.left_2
                when -2 then held.held - held.left_2
                when 3 then held.left_3
                when -3 then held.held - held.left_3
                when 4 then held.left_4
                when -4 then held.held - held.left_4
            end as bigint
        ) * 240 as mass,
        cast(
            places.records as bigint
        ) as records
    from held
    inner join places
        on held.node = places.node and held.attribute = places.attribute and places.records > 0
    left join prefixes as later
        on held.next_position = later.position
    cross join totals
),

-- K n / N, rounded up, where the crossing lies within the stretch.
stretches as (
    select
        sides.node,
        sides.attribute,
        sides.dealt,
        sides.place,
        sides.position,
        sides.summed_before,
        sides.below,
        sides.next_position,
        sides.next_summed_before,
        sides.first_summed,
        sides.mass,
        sides.records,
        case
            when sides.mass > sides.below * sides.records and sides.mass < sides.next_below_before * sides.records
                then
                    cast(
                        (
                            sides.mass + sides.records - 1 - (sides.mass + sides.records - 1) % sides.records
                        ) / sides.records as bigint
                    )
        end as threshold
    from sides
),

-- Every threshold among the table's cumulated counts, from above: the crossing is the lowest of the
-- counts that have been passed.
points as (
    select distinct
        stretches.threshold as height,
        1 as is_threshold,
        cast(null as bigint) as position,
        cast(null as bigint) as summed_before
    from stretches
    where stretches.threshold is not null
    union all
    select
        prefixes.below as height,
        0 as is_threshold,
        prefixes.position,
        prefixes.summed_before
    from prefixes
),

crossings as (
    select
        points.height,
        points.is_threshold,
        min(points.position) over (
            order by points.height desc, points.is_threshold asc rows unbounded preceding
        ) as position,
        min(points.summed_before) over (
            order by points.height desc, points.is_threshold asc rows unbounded preceding
        ) as summed_before
    from points
),

distances as (
    select
        stretches.node,
        stretches.attribute,
        stretches.dealt,
        stretches.place,
        sum(
            stretches.first_summed * stretches.records
            + case
                when stretches.threshold is not null
                    then
                        (2 * crossings.position - stretches.position - stretches.next_position) * stretches.mass
                        + (stretches.next_summed_before + stretches.summed_before - 2 * crossings.summed_before)
                        * stretches.records
                when stretches.mass <= stretches.below * stretches.records
                    then
                        (stretches.next_summed_before - stretches.summed_before) * stretches.records
                        - (stretches.next_position - stretches.position) * stretches.mass
                else
                    (stretches.next_position - stretches.position) * stretches.mass
                    - (stretches.next_summed_before - stretches.summed_before) * stretches.records
            end
        ) as moved
    from stretches
    left join crossings
        on stretches.threshold = crossings.height and crossings.is_threshold = 1
    group by stretches.node, stretches.attribute, stretches.dealt, stretches.place
)

select
    distances.node,
    distances.attribute,
    distances.dealt,
    max(case when distances.place = 1 then distances.moved end) as left_1,
    max(case when distances.place = -1 then distances.moved end) as right_1,
    max(case when distances.place = 2 then distances.moved end) as left_2,
    max(case when distances.place = -2 then distances.moved end) as right_2,
    max(case when distances.place = 3 then distances.moved end) as left_3,
    max(case when distances.place = -3 then distances.moved end) as right_3,
    max(case when distances.place = 4 then distances.moved end) as left_4,
    max(case when distances.place = -4 then distances.moved end) as right_4
from distances
group by distances.node, distances.attribute, distances.dealt
