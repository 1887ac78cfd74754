with margins as (
    select
        rounded_counts.group_id,
        rounded_counts.candidate,
        rounded_counts.size,
        combinations.s2_bin as bin,
        cast(sum(rounded_counts.taken) as bigint) as records
    from "sqlanon_carve_rounded" as rounded_counts
    inner join "sqlanon_carve_combinations" as combinations
        on rounded_counts.value = combinations.code
    inner join "sqlanon_carve_met_s1" as met_before
        on rounded_counts.group_id = met_before.group_id and rounded_counts.candidate = met_before.candidate
    group by
        rounded_counts.group_id, rounded_counts.candidate, rounded_counts.size, combinations.s2_bin
),

ranked as (
    select
        margins.group_id,
        margins.candidate,
        margins.size,
        margins.records,
        stretches.frequency
    from margins
    inner join "sqlanon_carve_stretches_s2" as stretches
        on margins.bin = stretches.bin
)

select
    ranked.group_id,
    ranked.candidate
from ranked
group by ranked.group_id, ranked.candidate, ranked.size
having
    ranked.size > 0
    and cast(
        sum(
            case
                when ranked.records * 240 > ranked.frequency * ranked.size
                    then ranked.records * 240 - ranked.frequency * ranked.size
                else 0
            end
        ) as decimal(38, 0)
    ) * 2
    <= cast(ranked.size as decimal(38, 0)) * 240
