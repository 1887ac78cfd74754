with margins as (
    select
        group_counts.region,
        group_counts.group_id,
        combinations.s1_bin as bin,
        cast(sum(group_counts.share) as bigint) as share
    from "sqlanon_carve_groups" as group_counts
    inner join "sqlanon_carve_combinations" as combinations
        on group_counts.value = combinations.code
    where group_counts.share > 0
    group by group_counts.region, group_counts.group_id, combinations.s1_bin
),

groups as (
    select
        margins.region,
        margins.group_id,
        cast(sum(margins.share) as bigint) as size
    from margins
    group by margins.region, margins.group_id
),

-- Every bin, those of which the group has nothing among them.
reached as (
    select
        groups.group_id,
        groups.size,
        open_values.bin,
        open_values.span,
        cast(open_values.below as double) / 240 as table_share,
        cast(open_values.reached as double) / open_values.open_records as open_share,
        coalesce(margins.share, 0) as share,
        cast(
            sum(coalesce(margins.share, 0)) over (
                partition by groups.group_id order by open_values.bin rows unbounded preceding
            ) as bigint
        ) as reached
    from groups
    inner join "sqlanon_carve_open_values_s1" as open_values
        on groups.region = open_values.region
    left join margins
        on groups.group_id = margins.group_id and open_values.bin = margins.bin
),

parts_1 as (
    select
        groups.group_id,
        cast(floor(cast(groups.size as double) * eighths.eighth / 8) as bigint) as part
    from groups
    cross join (values (0), (1), (2), (3), (4), (5), (6), (7), (8)) as eighths (eighth)
    where eighths.eighth > 0
),

aimed_1 as (
    select
        reached.group_id,
        reached.bin,
        reached.span,
        reached.size,
        reached.share,
        reached.reached,
        parts_1.part,
        cast(floor(parts_1.part * reached.open_share) as bigint) as aim,
        cast(floor(parts_1.part * reached.table_share) as bigint) as fair
    from reached
    inner join parts_1
        on reached.group_id = parts_1.group_id
),

paths_1 as (
    select
        aimed_1.group_id,
        aimed_1.part,
        aimed_1.bin,
        aimed_1.span,
        aimed_1.share,
        aimed_1.fair,
        greatest(
            reached + least(
                0,
                min(aim - reached) over (
                    partition by group_id, part order by bin
                    rows unbounded preceding
                )
            ),
            part - (size - reached)
        ) as low,
        least(
            part - (size - reached) - min((part - aim) - (size - reached)) over (
                partition by group_id, part order by bin
                rows between current row and unbounded following
            ),
            part,
            reached
        ) as high
    from aimed_1
),

costs_1 as (
    select
        paths_1.group_id,
        paths_1.part,
        cast(sum(abs(paths_1.low - paths_1.fair) * paths_1.span) as double) as low,
        cast(sum(abs(paths_1.high - paths_1.fair) * paths_1.span) as double) as high,
        cast(
            sum(abs(paths_1.low + paths_1.high - 2 * paths_1.fair) * paths_1.span)
            as double
        ) / 2 as middle
    from paths_1
    group by paths_1.group_id, paths_1.part
),

found_1 as (
    select
        costs_1.group_id,
        max(costs_1.part) as part
    from costs_1
    where
        least(costs_1.low, costs_1.high, costs_1.middle) * 10
        <= cast(costs_1.part as double) * 1434
    group by costs_1.group_id
),

parts_2 as (
    select
        groups.group_id,
        coalesce(found_1.part, 0) + cast(floor(cast(groups.size as double) * eighths.eighth / 64) as bigint) as part
    from groups
    cross join (values (0), (1), (2), (3), (4), (5), (6), (7), (8)) as eighths (eighth)
    left join found_1
        on groups.group_id = found_1.group_id
    where
        coalesce(found_1.part, 0) + floor(cast(groups.size as double) * eighths.eighth / 64) between 1 and groups.size
        and eighths.eighth < 8
),

aimed_2 as (
    select
        reached.group_id,
        reached.bin,
        reached.span,
        reached.size,
        reached.share,
        reached.reached,
        parts_2.part,
        cast(floor(parts_2.part * reached.open_share) as bigint) as aim,
        cast(floor(parts_2.part * reached.table_share) as bigint) as fair
    from reached
    inner join parts_2
        on reached.group_id = parts_2.group_id
),

paths_2 as (
    select
        aimed_2.group_id,
        aimed_2.part,
        aimed_2.bin,
        aimed_2.span,
        aimed_2.share,
        aimed_2.fair,
        greatest(
            reached + least(
                0,
                min(aim - reached) over (
                    partition by group_id, part order by bin
                    rows unbounded preceding
                )
            ),
            part - (size - reached)
        ) as low,
        least(
            part - (size - reached) - min((part - aim) - (size - reached)) over (
                partition by group_id, part order by bin
                rows between current row and unbounded following
            ),
            part,
            reached
        ) as high
    from aimed_2
),

costs_2 as (
    select
        paths_2.group_id,
        paths_2.part,
        cast(sum(abs(paths_2.low - paths_2.fair) * paths_2.span) as double) as low,
        cast(sum(abs(paths_2.high - paths_2.fair) * paths_2.span) as double) as high,
        cast(
            sum(abs(paths_2.low + paths_2.high - 2 * paths_2.fair) * paths_2.span)
            as double
        ) / 2 as middle
    from paths_2
    group by paths_2.group_id, paths_2.part
),

found_2 as (
    select
        costs_2.group_id,
        max(costs_2.part) as part
    from costs_2
    where
        least(costs_2.low, costs_2.high, costs_2.middle) * 10
        <= cast(costs_2.part as double) * 1434
    group by costs_2.group_id
),

chosen as (
    select
        paths_2.group_id,
        paths_2.bin,
        paths_2.share,
        case
            when costs_2.middle <= costs_2.low and costs_2.middle <= costs_2.high
                then cast(floor((paths_2.low + paths_2.high) / 2.0) as bigint)
            when costs_2.low <= costs_2.high then paths_2.low
            else paths_2.high
        end as taken
    from found_2
    inner join paths_2
        on found_2.group_id = paths_2.group_id and found_2.part = paths_2.part
    inner join costs_2
        on found_2.group_id = costs_2.group_id and found_2.part = costs_2.part
),

targets as (
    select
        chosen.group_id,
        chosen.bin,
        chosen.share,
        chosen.taken - coalesce(before.taken, 0) as target
    from chosen
    left join chosen as before
        on chosen.group_id = before.group_id and chosen.bin = before.bin + 1
)

select
    group_counts.region,
    group_counts.group_id,
    group_counts.value,
    cast(floor(cast(group_counts.share as double) * targets.target / targets.share) as bigint) as share
from "sqlanon_carve_groups" as group_counts
inner join "sqlanon_carve_combinations" as combinations
    on group_counts.value = combinations.code
inner join targets
    on group_counts.group_id = targets.group_id and combinations.s1_bin = targets.bin
where targets.share > 0 and targets.target > 0
