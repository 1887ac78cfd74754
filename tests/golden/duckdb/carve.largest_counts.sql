-- relation: largest_counts
-- grain: one row per group that gives a class and combination of sensitive values taken from it
-- inputs: rounded_counts, met_*
-- outputs: region, group_id, value, taken, size
-- paper: sqlanon, Carve II §2
-- The largest class of every group among the candidates that meet what is asked of all attributes.
with ranked as (
    select
        rounded_counts.region,
        rounded_counts.group_id,
        rounded_counts.value,
        rounded_counts.taken,
        rounded_counts.size,
        rounded_counts.candidate,
        first_value(rounded_counts.candidate) over (
            partition by rounded_counts.group_id
            order by rounded_counts.size desc, rounded_counts.candidate asc
        ) as first_candidate
    from "sqlanon_carve_rounded" as rounded_counts
    inner join "sqlanon_carve_met_s1" as met_s1
        on
            rounded_counts.group_id = met_s1.group_id
            and rounded_counts.candidate = met_s1.candidate
    inner join "sqlanon_carve_met_s2" as met_s2
        on
            rounded_counts.group_id = met_s2.group_id
            and rounded_counts.candidate = met_s2.candidate
)

select
    ranked.region,
    ranked.group_id,
    ranked.value,
    ranked.taken,
    ranked.size
from ranked
where ranked.candidate = ranked.first_candidate
