with prefixes as (
    select
        laid_out.code,
        laid_out.position,
        laid_out.below,
        laid_out.below_before,
        laid_out.summed_before
    from "sqlanon_search_prefixes_s2" as laid_out
),

totals as (
    select
        cast(240 as bigint) as records,
        max(laid_out.domain_size) as domain_size,
        max(laid_out.summed) as summed
    from "sqlanon_search_prefixes_s2" as laid_out
),

held as (
    select
        allowed_cuts.node,
        allowed_cuts.attribute,
        allowed_cuts.dealt,
        allowed_cuts.cut,
        allowed_cuts.position as left_records,
        allowed_cuts.records - allowed_cuts.position as right_records,
        prefixes.position,
        prefixes.summed_before,
        prefixes.below,
        left_values.held,
        case allowed_cuts.cut
            when 1 then left_values.left_1
            when 2 then left_values.left_2
        end as on_left
    from "sqlanon_tree_parted_0_allowed" as allowed_cuts
    inner join "sqlanon_tree_left_s2" as left_values
        on
            allowed_cuts.node = left_values.node
            and allowed_cuts.attribute = left_values.attribute
            and allowed_cuts.dealt = left_values.dealt
    inner join prefixes
        on left_values.value = prefixes.code
),

reached as (
    select
        held.node,
        held.attribute,
        held.dealt,
        held.cut,
        held.left_records,
        held.right_records,
        held.position,
        held.summed_before,
        held.below,
        held.held,
        lead(held.position) over (
            partition by held.node, held.attribute, held.dealt, held.cut order by held.position
        ) as next_position,
        cast(
            sum(held.on_left) over (
                partition by held.node, held.attribute, held.dealt, held.cut
                order by held.position
                rows unbounded preceding
            ) as bigint
        ) as left_reached,
        cast(
            sum(held.held) over (
                partition by held.node, held.attribute, held.dealt, held.cut
                order by held.position
                rows unbounded preceding
            ) as bigint
        ) as reached
    from held
),

-- The last stretch ends before the last value, which nothing moves past.
sides as (
    select
        reached.node,
        reached.attribute,
        reached.dealt,
        reached.cut,
        listed.is_left,
        reached.position,
        reached.summed_before,
        reached.below,
        coalesce(reached.next_position, totals.domain_size) as next_position,
        coalesce(later.summed_before, totals.summed) as next_summed_before,
        coalesce(later.below_before, 240) as next_below_before,
        case when reached.reached = reached.held then reached.summed_before else 0 end as first_summed,
        cast(
            case
                when listed.is_left = 1 then reached.left_reached
                else reached.reached - reached.left_reached
            end as bigint
        ) * 240 as mass,
        cast(case when listed.is_left = 1 then reached.left_records else reached.right_records end as bigint) as records
    from reached
    cross join (values (1), (0)) as listed (is_left)
    left join prefixes as later
        on reached.next_position = later.position
    cross join totals
),

-- K n / N, rounded up, where the crossing lies within the stretch.
stretches as (
    select
        sides.node,
        sides.attribute,
        sides.dealt,
        sides.cut,
        sides.is_left,
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
        stretches.cut,
        stretches.is_left,
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
    group by stretches.node, stretches.attribute, stretches.dealt, stretches.cut, stretches.is_left
)

select
    distances.node,
    distances.attribute,
    distances.dealt,
    distances.cut,
    max(case when distances.is_left = 1 then distances.moved end) as left_moved,
    max(case when distances.is_left = 0 then distances.moved end) as right_moved
from distances
group by distances.node, distances.attribute, distances.dealt, distances.cut
