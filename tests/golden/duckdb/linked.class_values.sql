-- relation: class_values
-- grain: one row per group of persons and sensitive value present in it
-- inputs: released, grouped, positions
-- outputs: class_id, code, position, records
-- paper: none
-- How many persons of the group have the value, each counted once, by the rows of the release.
select
    grouped.number as class_id,
    cast(positions.code as integer) as code,
    cast(positions.position as integer) as position,
    count(distinct released."nr") as records
from "linked_second" as released
inner join "sqlanon_linked_grouped" as grouped
    on released."nr" = grouped.name
inner join "sqlanon_positions_s1" as positions
    on
        released."pain" is not distinct from positions.value
        and (positions.records > 0)
group by grouped.number, positions.code, positions.position
