-- relation: distances_ordered
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; ordered ground distance
-- The earth mover's distance of both sides of every cut to the table, times (values - 1) and the
-- records of the side and of the table: the sum of what must move past each value. Only the values a
-- side holds are looked at, in closed form: privacy/t_ordered explains it.
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

-- Place i is the left side of cut i, and place -i its right side.
places as (
    select listed.place
    from (
        values (1), (-1), (2), (-2), (3), (-3), (4), (-4), (5), (-5), (6), (-6), (7), (-7), (8), (-8)
    ) as listed (place)
),

sides as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        places.place,
        left_values.value,
        case places.place
            when 1 then left_values.left_1
            when -1 then left_values.held - left_values.left_1
            when 2 then left_values.left_2
            when -2 then left_values.held - left_values.left_2
            when 3 then left_values.left_3
            when -3 then left_values.held - left_values.left_3
            when 4 then left_values.left_4
            when -4 then left_values.held - left_values.left_4
            when 5 then left_values.left_5
            when -5 then left_values.held - left_values.left_5
            when 6 then left_values.left_6
            when -6 then left_values.held - left_values.left_6
            when 7 then left_values.left_7
            when -7 then left_values.held - left_values.left_7
            when 8 then left_values.left_8
            when -8 then left_values.held - left_values.left_8
        end as records,
        case places.place
            when 1 then cut_positions.cut_1
            when -1 then cut_positions.records - cut_positions.cut_1
            when 2 then cut_positions.cut_2
            when -2 then cut_positions.records - cut_positions.cut_2
            when 3 then cut_positions.cut_3
            when -3 then cut_positions.records - cut_positions.cut_3
            when 4 then cut_positions.cut_4
            when -4 then cut_positions.records - cut_positions.cut_4
            when 5 then cut_positions.cut_5
            when -5 then cut_positions.records - cut_positions.cut_5
            when 6 then cut_positions.cut_6
            when -6 then cut_positions.records - cut_positions.cut_6
            when 7 then cut_positions.cut_7
            when -7 then cut_positions.records - cut_positions.cut_7
            when 8 then cut_positions.cut_8
            when -8 then cut_positions.records - cut_positions.cut_8
        end as side_records
    from "sqlanon_tree_left_s2" as left_values
    inner join "sqlanon_tree_positions" as cut_positions
        on left_values.node = cut_positions.node and left_values.attribute = cut_positions.attribute
    cross join places
),

steps as (
    select
        sides.node,
        sides.attribute,
        sides.dealt,
        sides.place,
        cast(sides.side_records as decimal(38, 0)) as group_records,
        prefixes.code,
        cast(
            sum(sides.records) over (
                partition by sides.node, sides.attribute, sides.dealt, sides.place
                order by prefixes.position
                rows unbounded preceding
            ) as bigint
        ) as reached,
        sides.records
    from sides
    inner join prefixes
        on sides.value = prefixes.code
    where sides.records > 0
),

levels as (
    select distinct
        steps.group_records,
        steps.reached
    from steps
    union
    select distinct
        steps.group_records,
        steps.reached - steps.records as reached
    from steps
),

-- K n / N, rounded up.
thresholds as (
    select
        levels.group_records,
        levels.reached,
        cast(levels.reached as decimal(38, 0)) * totals.records as mass,
        cast(
            (
                cast(levels.reached as decimal(38, 0)) * totals.records + levels.group_records - 1
                - (cast(levels.reached as decimal(38, 0)) * totals.records + levels.group_records - 1)
                % levels.group_records
            ) / levels.group_records as bigint
        ) as threshold
    from levels
    cross join totals
),

-- Every threshold among the table's cumulated counts, from above: the crossing is the lowest of the
-- counts that have been passed.
points as (
    select
        thresholds.group_records,
        thresholds.reached,
        thresholds.mass,
        thresholds.threshold as height,
        1 as is_threshold,
        cast(null as bigint) as position,
        cast(null as bigint) as summed_before
    from thresholds
    union all
    select
        cast(null as decimal(38, 0)) as group_records,
        cast(null as bigint) as reached,
        cast(null as decimal(38, 0)) as mass,
        prefixes.below as height,
        0 as is_threshold,
        prefixes.position,
        prefixes.summed_before
    from prefixes
),

passed as (
    select
        points.group_records,
        points.reached,
        points.mass,
        points.is_threshold,
        min(points.position) over (
            order by points.height desc, points.is_threshold asc
            rows unbounded preceding
        ) as crossing,
        min(points.summed_before) over (
            order by points.height desc, points.is_threshold asc
            rows unbounded preceding
        ) as summed_before_crossing
    from points
),

crossings as (
    select
        passed.group_records,
        passed.reached,
        passed.mass,
        passed.crossing,
        passed.summed_before_crossing
    from passed
    where passed.is_threshold = 1
),

-- T up to just before each present value: with the count before it, less that with the count after.
stretches as (
    select
        steps.node,
        steps.attribute,
        steps.dealt,
        steps.place,
        steps.group_records,
        case
            when prefixes.position - 1 < lower.crossing
                then (prefixes.position - 1) * lower.mass - prefixes.summed_before * steps.group_records
            else
                (2 * (lower.crossing - 1) - (prefixes.position - 1)) * lower.mass
                + (prefixes.summed_before - 2 * lower.summed_before_crossing) * steps.group_records
        end
        - case
            when prefixes.position - 1 < upper.crossing
                then (prefixes.position - 1) * upper.mass - prefixes.summed_before * steps.group_records
            else
                (2 * (upper.crossing - 1) - (prefixes.position - 1)) * upper.mass
                + (prefixes.summed_before - 2 * upper.summed_before_crossing) * steps.group_records
        end as moved
    from steps
    inner join prefixes
        on steps.code = prefixes.code
    inner join crossings as lower
        on
            steps.group_records = lower.group_records
            and steps.reached - steps.records = lower.reached
    inner join crossings as upper
        on steps.group_records = upper.group_records and steps.reached = upper.reached
),

distances as (
    select
        stretches.node,
        stretches.attribute,
        stretches.dealt,
        stretches.place,
        sum(stretches.moved)
        + stretches.group_records * ((totals.domain_size - 1) * totals.records - totals.summed) as moved,
        stretches.group_records * totals.records
        * case when totals.domain_size > 1 then totals.domain_size - 1 else 1 end as scale
    from stretches
    cross join totals
    group by
        stretches.node,
        stretches.attribute,
        stretches.dealt,
        stretches.place,
        stretches.group_records,
        totals.domain_size,
        totals.records,
        totals.summed
)

select
    distances.node,
    distances.attribute,
    distances.dealt,
    sum(case when distances.place = 1 then distances.moved end) as left_1,
    sum(case when distances.place = -1 then distances.moved end) as right_1,
    sum(case when distances.place = 2 then distances.moved end) as left_2,
    sum(case when distances.place = -2 then distances.moved end) as right_2,
    sum(case when distances.place = 3 then distances.moved end) as left_3,
    sum(case when distances.place = -3 then distances.moved end) as right_3,
    sum(case when distances.place = 4 then distances.moved end) as left_4,
    sum(case when distances.place = -4 then distances.moved end) as right_4,
    sum(case when distances.place = 5 then distances.moved end) as left_5,
    sum(case when distances.place = -5 then distances.moved end) as right_5,
    sum(case when distances.place = 6 then distances.moved end) as left_6,
    sum(case when distances.place = -6 then distances.moved end) as right_6,
    sum(case when distances.place = 7 then distances.moved end) as left_7,
    sum(case when distances.place = -7 then distances.moved end) as right_7,
    sum(case when distances.place = 8 then distances.moved end) as left_8,
    sum(case when distances.place = -8 then distances.moved end) as right_8
from distances
group by distances.node, distances.attribute, distances.dealt
