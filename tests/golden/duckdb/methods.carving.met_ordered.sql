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

stretches as (
    select
        margins.group_id, margins.candidate, cast(margins.size as decimal(38, 0)) as group_records,
        cast(cast(sum(margins.records) over (partition by margins.group_id, margins.candidate order by margins.position rows unbounded preceding) as bigint) as decimal(38, 0)) * totals.records as mass,
        prefixes.position, prefixes.summed_before,
        coalesce(lead(prefixes.position) over (partition by margins.group_id, margins.candidate order by margins.position), totals.domain_size) as next_position,
        coalesce(lead(prefixes.summed_before) over (partition by margins.group_id, margins.candidate order by margins.position), totals.summed) as next_summed_before
    from margins
    inner join prefixes on margins.code = prefixes.code
    cross join totals
),

-- K n / N, rounded up, among the cumulated counts of the table: from above, the lowest that was passed.
crossings as (
    select
        points.group_records, points.mass, points.is_level,
        min(points.position) over (order by points.height desc, points.is_level asc rows unbounded preceding) as position,
        min(points.summed_before) over (order by points.height desc, points.is_level asc rows unbounded preceding) as summed_before
    from (
        select distinct
            1 as is_level, stretches.group_records, stretches.mass,
            cast((stretches.mass + stretches.group_records - 1 - (stretches.mass + stretches.group_records - 1) % stretches.group_records) / stretches.group_records as bigint) as height,
            cast(null as bigint) as position, cast(null as bigint) as summed_before
        from stretches
        union all
        select 0 as is_level, null as group_records, null as mass, prefixes.below, prefixes.position, prefixes.summed_before
        from prefixes
    ) as points
),

-- Up to the crossing the group has more, from it on the table. Records without a known value lie beyond the last.
distances as (
    select
        stretches.group_records * totals.records * greatest(totals.domain_size - 1, 1) as scale, stretches.group_id, stretches.candidate, sum(
            stretches.mass * (2 * least(greatest(crossings.position, stretches.position), stretches.next_position) - stretches.position - stretches.next_position)
            - stretches.group_records * (2 * least(greatest(crossings.summed_before, stretches.summed_before), stretches.next_summed_before) - stretches.summed_before - stretches.next_summed_before)
        ) + min(stretches.group_records * stretches.summed_before) + min(stretches.group_records * totals.records - stretches.mass) as moved
    from stretches
    inner join crossings
        on stretches.group_records = crossings.group_records and stretches.mass = crossings.mass and crossings.is_level = 1
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
