with meeting as (
    select
        rounded_counts.region,
        rounded_counts.group_id,
        rounded_counts.value,
        rounded_counts.taken,
        rounded_counts.size,
        rounded_counts.candidate
    from "sqlanon_carve_rounded" as rounded_counts
    inner join "sqlanon_carve_met_s2" as met
        on rounded_counts.group_id = met.group_id and rounded_counts.candidate = met.candidate
),

sizes as (
    select
        meeting.group_id,
        max(meeting.size) as size
    from meeting
    group by meeting.group_id
),

largest as (
    select
        meeting.group_id,
        min(meeting.candidate) as candidate
    from meeting
    inner join sizes
        on meeting.group_id = sizes.group_id and meeting.size = sizes.size
    group by meeting.group_id
)

select
    meeting.region,
    meeting.group_id,
    meeting.value,
    meeting.taken,
    meeting.size
from meeting
inner join largest
    on meeting.group_id = largest.group_id and meeting.candidate = largest.candidate
