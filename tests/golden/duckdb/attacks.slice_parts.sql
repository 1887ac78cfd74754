-- relation: slice_parts
-- grain: one row per tuple of what a slice shows, and group that has it
-- inputs: tuples, spans_*
-- outputs: class_id, part, place, groups, records, q*
-- paper: Li, Li, Zhang and Molloy 2012, §5 (matching buckets)
-- The parts of one slice: which groups have each, by the codes of what is known, and how many groups do.
-- Place is one number for both, so that they are looked up together and by nothing less.
with held as (
    select
        tuples.p0 as class_id,
        spans_q2.low as q2,
        cast(sum(tuples.records) as bigint) as records
    from "sqlanon_published_tuples" as tuples
    inner join "sqlanon_spans_q2" as spans_q2
        on tuples.class_id = spans_q2.class_id
    group by tuples.p0, spans_q2.low
),

parts as (
    select
        held.q2,
        cast(row_number() over (order by held.q2) as integer) as part,
        count(*) as groups
    from held
    group by held.q2
)

select
    held.class_id,
    parts.part,
    cast(parts.part as bigint) * 4294967296 + held.class_id as place,
    parts.groups,
    held.records,
    held.q2
from held
inner join parts
    on
        held.q2 = parts.q2
