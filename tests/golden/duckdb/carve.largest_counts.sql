-- relation: largest_counts
-- grain: one row per group that gives a class and combination of sensitive values taken from it
-- inputs: rounded_counts, met_*
-- outputs: region, group_id, value, taken, size
-- paper: sqlanon, Carve II §2
-- The largest class of every group among the candidates that meet what is asked of all attributes.
with met as (
    select
        rounded_counts.region,
        rounded_counts.group_id,
        rounded_counts.value,
        rounded_counts.taken,
        rounded_counts.size,
        rounded_counts.candidate
    from "sqlanon_carve_rounded" as rounded_counts
    inner join "sqlanon_carve_met_s1" as met_s1
        on
            rounded_counts.group_id = met_s1.group_id
            and rounded_counts.candidate = met_s1.candidate
    inner join "sqlanon_carve_met_s2" as met_s2
        on
            rounded_counts.group_id = met_s2.group_id
            and rounded_counts.candidate = met_s2.candidate
),

sizes as (
    select
        met.group_id,
        max(met.size) as size
    from met
    group by met.group_id
),

largest as (
    select
        met.group_id,
        min(met.candidate) as candidate
    from met
    inner join sizes
        on met.group_id = sizes.group_id and met.size = sizes.size
    group by met.group_id
)

select
    met.region,
    met.group_id,
    met.value,
    met.taken,
    met.size
from met
inner join largest
    on met.group_id = largest.group_id and met.candidate = largest.candidate
