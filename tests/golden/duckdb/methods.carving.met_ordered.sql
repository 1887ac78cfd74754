with prefixes as (
    select
        laid_out.code,
        laid_out.position,
        laid_out.below,
        laid_out.below_before,
        laid_out.summed_before
    from "sqlanon_search_prefixes_s1" as laid_out
),

totals as (
    select
        cast(240 as bigint) as records,
        max(laid_out.domain_size) as domain_size,
        max(laid_out.summed) as summed
    from "sqlanon_search_prefixes_s1" as laid_out
),

margins as (
    select
        rounded_counts.group_id,
        rounded_counts.candidate,
        rounded_counts.size,
        combinations.s1 as code,
        combinations.s1_position as position,
        cast(sum(rounded_counts.taken) as bigint) as records
    from "sqlanon_carve_rounded" as rounded_counts
    inner join "sqlanon_carve_combinations" as combinations
        on rounded_counts.value = combinations.code
    group by
        rounded_counts.group_id,
        rounded_counts.candidate,
        rounded_counts.size,
        combinations.s1,
        combinations.s1_position
),

ranked as (
    select
        margins.group_id,
        margins.candidate,
        margins.size,
        margins.records
    from margins
),

diverse as (
    select
        ranked.group_id,
        ranked.candidate
    from ranked
    group by ranked.group_id, ranked.candidate, ranked.size
    having
        ranked.size > 0
        and sum(case when ranked.records > 0 then 1 else 0 end) >= 2
),

steps as (
    select
        margins.group_id,
        margins.candidate,
        cast(margins.size as decimal(38, 0)) as group_records,
        margins.code,
        cast(
            sum(margins.records) over (
                partition by margins.group_id, margins.candidate order by margins.position rows unbounded preceding
            ) as bigint
        ) as reached,
        margins.records
    from margins
),

-- K n / N, rounded up, among the cumulated counts of the table.
points as (
    select
        levels.group_records, levels.reached,
        cast((levels.least - levels.least % levels.group_records) / levels.group_records as bigint) as height,
        1 as is_level, cast(null as bigint) as position, cast(null as bigint) as summed_before
    from (
        select distinct
            steps.group_records, steps.reached,
            cast(steps.reached as decimal(38, 0)) * totals.records + steps.group_records - 1 as least
        from steps
        cross join totals
    ) as levels
    union all
    select
        cast(null as decimal(38, 0)) as group_records, cast(null as bigint) as reached,
        prefixes.below as height, 0 as is_level, prefixes.position, prefixes.summed_before
    from prefixes
),

-- From above, the crossing is the lowest of the counts that have been passed.
crossings as (
    select
        points.group_records, points.reached, points.is_level,
        min(points.position) over (order by points.height desc, points.is_level asc rows unbounded preceding) as crossing,
        min(points.summed_before) over (order by points.height desc, points.is_level asc rows unbounded preceding) as summed_before
    from points
),

-- K n and M(K) up to each value.
placed as (
    select
        prefixes.position, steps.group_id, steps.candidate, steps.group_records,
        prefixes.below * steps.group_records as below, prefixes.summed_before * steps.group_records as summed_before,
        cast(steps.reached as decimal(38, 0)) * totals.records as mass,
        crossings.crossing * cast(steps.reached as decimal(38, 0)) * totals.records - crossings.summed_before * steps.group_records as placed
    from steps
    inner join prefixes
        on steps.code = prefixes.code
    inner join crossings
        on steps.group_records = crossings.group_records and steps.reached = crossings.reached and crossings.is_level = 1
    cross join totals
),

-- The same up to the value before.
stretches as (
    select
        placed.position, placed.group_id, placed.candidate, placed.group_records, placed.below, placed.summed_before, placed.mass, placed.placed,
        coalesce(lag(placed.mass) over (partition by placed.group_id, placed.candidate order by placed.position), 0) as mass_before,
        coalesce(lag(placed.placed) over (partition by placed.group_id, placed.candidate order by placed.position), 0) as placed_before
    from placed
),

-- The value takes from what lies above its position, from what lies below it, or from both.
distances as (
    select
        stretches.group_id,
        stretches.candidate,
        sum(
            case
                when stretches.below <= stretches.mass_before
                    then stretches.placed - stretches.placed_before - stretches.position * (stretches.mass - stretches.mass_before)
                when stretches.below >= stretches.mass
                    then stretches.position * (stretches.mass - stretches.mass_before) - stretches.placed + stretches.placed_before
                else
                    stretches.placed + stretches.placed_before + 2 * stretches.summed_before
                    - stretches.position * (stretches.mass + stretches.mass_before)
            end
        ) as moved,
        stretches.group_records * totals.records * greatest(totals.domain_size - 1, 1) as scale
    from stretches
    cross join totals
    group by stretches.group_id, stretches.candidate, stretches.group_records, totals.domain_size, totals.records
)

select
    distances.group_id,
    distances.candidate
from distances
inner join diverse
    on distances.group_id = diverse.group_id and distances.candidate = diverse.candidate
where distances.moved * 10 <= distances.scale * 3
