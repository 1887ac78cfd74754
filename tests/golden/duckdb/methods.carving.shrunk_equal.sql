with margins as (
    select
        group_counts.region,
        group_counts.group_id,
        combinations.s2_bin as bin,
        cast(sum(group_counts.share) as bigint) as share
    from "sqlanon_carve_shrunk_s1" as group_counts
    inner join "sqlanon_carve_combinations" as combinations
        on group_counts.value = combinations.code
    where group_counts.share > 0
    group by group_counts.region, group_counts.group_id, combinations.s2_bin
),

prefixes as (
    select
        margins.group_id,
        margins.bin,
        margins.share,
        open_values.frequency,
        cast(open_values.records as double) * 240
        / (cast(open_values.open_records as double) * open_values.frequency) as surplus,
        cast(
            sum(margins.share) over (
                partition by margins.group_id
                order by cast(margins.share as double) / open_values.frequency, margins.bin
                rows unbounded preceding
            ) as bigint
        ) as reached,
        cast(
            sum(open_values.frequency) over (
                partition by margins.group_id
                order by cast(margins.share as double) / open_values.frequency, margins.bin
                rows unbounded preceding
            ) as bigint
        ) as shared,
        cast(sum(margins.share) over (partition by margins.group_id) as bigint) as size,
        240 - cast(sum(open_values.frequency) over (partition by margins.group_id) as bigint) as absent
    from margins
    inner join "sqlanon_carve_open_values_s2" as open_values
        on margins.region = open_values.region and margins.bin = open_values.bin
),

-- s records need s * (share of V - t) of every set V of values: the scarcest values bind first.
sizes as (
    select
        prefixes.group_id,
        least(
            min(prefixes.size),
            min(
                case
                    when
                        (prefixes.absent + prefixes.shared) * 2
                        > 240
                        then cast(
                            floor(
                                cast(prefixes.reached as double) * 480
                                / (
                                    cast(prefixes.absent + prefixes.shared as double) * 2
                                    - 240
                                )
                            ) as bigint
                        )
                    else prefixes.size
                end
            )
        ) as part
    from prefixes
    group by prefixes.group_id
),

fair as (
    select
        prefixes.group_id,
        prefixes.bin,
        prefixes.share,
        prefixes.surplus,
        sizes.part,
        least(
            prefixes.share,
            cast(floor(cast(sizes.part as double) * prefixes.frequency / 240) as bigint)
        ) as kept
    from prefixes
    inner join sizes
        on prefixes.group_id = sizes.group_id
),

weighted as (
    select
        fair.group_id,
        fair.bin,
        fair.share,
        fair.kept,
        fair.part - cast(sum(fair.kept) over (partition by fair.group_id) as bigint) as lacking,
        cast(
            floor((fair.share - fair.kept) * greatest(0.01, least(4.0, fair.surplus)) * greatest(0.01, least(4.0, fair.surplus)))
            as bigint
        ) as weight
    from fair
),

filled as (
    select
        weighted.group_id,
        weighted.bin,
        weighted.share,
        weighted.kept,
        weighted.lacking,
        least(
            weighted.share - weighted.kept,
            cast(
                floor(
                    cast(weighted.weight as double) * weighted.lacking
                    / greatest(1, cast(sum(weighted.weight) over (partition by weighted.group_id) as bigint))
                ) as bigint
            )
        ) as more
    from weighted
),

-- The other values give the records that a value in excess could not give.
targets as (
    select
        filled.group_id,
        filled.bin,
        filled.share,
        filled.kept + filled.more + cast(
            floor(
                cast(filled.share - filled.kept - filled.more as double)
                * (filled.lacking - cast(sum(filled.more) over (partition by filled.group_id) as bigint))
                / greatest(
                    1,
                    cast(
                        sum(filled.share - filled.kept - filled.more) over (partition by filled.group_id) as bigint
                    )
                )
            ) as bigint
        ) as target
    from filled
)

select
    group_counts.region,
    group_counts.group_id,
    group_counts.value,
    cast(floor(cast(group_counts.share as double) * targets.target / targets.share) as bigint) as share
from "sqlanon_carve_shrunk_s1" as group_counts
inner join "sqlanon_carve_combinations" as combinations
    on group_counts.value = combinations.code
inner join targets
    on group_counts.group_id = targets.group_id and combinations.s2_bin = targets.bin
