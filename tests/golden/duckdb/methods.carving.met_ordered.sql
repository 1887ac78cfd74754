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
        steps.group_id,
        steps.candidate,
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
        stretches.group_id,
        stretches.candidate,
        sum(stretches.moved)
        + stretches.group_records * ((totals.domain_size - 1) * totals.records - totals.summed) as moved,
        stretches.group_records * totals.records
        * case when totals.domain_size > 1 then totals.domain_size - 1 else 1 end as scale
    from stretches
    cross join totals
    group by
        stretches.group_id,
        stretches.candidate,
        stretches.group_records,
        totals.domain_size,
        totals.records,
        totals.summed
)

select
    distances.group_id,
    distances.candidate
from distances
inner join diverse
    on distances.group_id = diverse.group_id and distances.candidate = diverse.candidate
where distances.moved * 10 <= distances.scale * 3
