-- relation: matching_groups
-- grain: one row per point that persons share
-- inputs: persons, placed, parts_*, groups
-- outputs: q*, persons, matches, behind
-- paper: Li, Li, Zhang and Molloy 2012, §5 (matching buckets)
-- In how many groups a person may be: those that have every part of what is known of the person. Behind are the
-- records of these groups whose sensitive values may be the person's. Each person is joined with the groups of
-- the rarest part, and only these are asked for the other parts.
with candidates as (
    select
        placed.part_1,
        placed.part_2,
        placed.part_3,
        parts_1.class_id
    from "sqlanon_known_persons_placed" as placed
    inner join "sqlanon_slice_parts_1" as parts_1
        on placed.part_1 = parts_1.part
    where placed.slice = 1
    union all
    select
        placed.part_1,
        placed.part_2,
        placed.part_3,
        parts_2.class_id
    from "sqlanon_known_persons_placed" as placed
    inner join "sqlanon_slice_parts_2" as parts_2
        on placed.part_2 = parts_2.part
    where placed.slice = 2
    union all
    select
        placed.part_1,
        placed.part_2,
        placed.part_3,
        parts_3.class_id
    from "sqlanon_known_persons_placed" as placed
    inner join "sqlanon_slice_parts_3" as parts_3
        on placed.part_3 = parts_3.part
    where placed.slice = 3

),

matching as (
    select
        candidates.part_1,
        candidates.part_2,
        candidates.part_3,
        count(*) as matches,
        cast(sum(parts_1.records) as bigint) as behind
    from candidates
    inner join "sqlanon_slice_parts_1" as parts_1
        on cast(candidates.part_1 as bigint) * 4294967296 + candidates.class_id = parts_1.place
    inner join "sqlanon_slice_parts_2" as parts_2
        on cast(candidates.part_2 as bigint) * 4294967296 + candidates.class_id = parts_2.place
    inner join "sqlanon_slice_parts_3" as parts_3
        on cast(candidates.part_3 as bigint) * 4294967296 + candidates.class_id = parts_3.place
    inner join "sqlanon_group_sizes" as group_sizes
        on candidates.class_id = group_sizes.class_id
    group by candidates.part_1, candidates.part_2, candidates.part_3
)

select
    persons.q2,
    persons.q1,
    persons.q3,
    persons.persons,
    coalesce(matching.matches, 0) as matches,
    coalesce(matching.behind, 0) as behind
from "sqlanon_known_persons" as persons
left join "sqlanon_known_persons_placed" as placed
    on
        persons.q2 = placed.q2
        and persons.q1 = placed.q1
        and persons.q3 = placed.q3
left join matching
    on
        placed.part_1 = matching.part_1
        and placed.part_2 = matching.part_2
        and placed.part_3 = matching.part_3
