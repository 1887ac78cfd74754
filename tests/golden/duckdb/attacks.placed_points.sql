-- relation: placed_points
-- grain: one row per point that persons share and whose parts are all published
-- inputs: persons, parts_*
-- outputs: q*, part_*, slice, groups
-- paper: none
-- What persons have of every slice, and the slice whose part is in the fewest groups: no other group can have
-- all of them.
with parts_1 as (
    select distinct
        slice_parts.part,
        slice_parts.groups,
        slice_parts.q2
    from "sqlanon_slice_parts_1" as slice_parts
),

parts_2 as (
    select distinct
        slice_parts.part,
        slice_parts.groups,
        slice_parts.q1
    from "sqlanon_slice_parts_2" as slice_parts
),

parts_3 as (
    select distinct
        slice_parts.part,
        slice_parts.groups,
        slice_parts.q3
    from "sqlanon_slice_parts_3" as slice_parts
),

placed as (
    select
        persons.q2,
        parts_1.part as part_1,
        parts_1.groups as groups_1,
        persons.q1,
        parts_2.part as part_2,
        parts_2.groups as groups_2,
        persons.q3,
        parts_3.part as part_3,
        parts_3.groups as groups_3
    from "sqlanon_known_persons" as persons
    inner join parts_1
        on
            persons.q2 = parts_1.q2
    inner join parts_2
        on
            persons.q1 = parts_2.q1
    inner join parts_3
        on
            persons.q3 = parts_3.q3
),

chosen as (
    select
        placed.q2,
        placed.part_1,
        placed.groups_1,
        placed.q1,
        placed.part_2,
        placed.groups_2,
        placed.q3,
        placed.part_3,
        placed.groups_3,
        case
            when placed.groups_1 <= placed.groups_2 and placed.groups_1 <= placed.groups_3 then 1
            when placed.groups_2 <= placed.groups_3 then 2
            else 3
        end as slice
    from placed
)

select
    chosen.q2,
    chosen.q1,
    chosen.q3,
    chosen.part_1,
    chosen.part_2,
    chosen.part_3,
    chosen.slice,
    case chosen.slice
        when 1 then chosen.groups_1
        when 2 then chosen.groups_2
        when 3 then chosen.groups_3
    end as groups
from chosen
