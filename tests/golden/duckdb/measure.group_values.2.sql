-- relation: class_values
-- grain: one row per class and sensitive value present in it
-- inputs: tied, positions
-- outputs: class_id, code, position, records
-- paper: none
-- What a reader who finds a record's group knows of its sensitive value: each value of the group, as
-- often as it is there.
select
    tied.p0 as class_id,
    cast(positions.code as integer) as code,
    cast(positions.position as integer) as position,
    count(*) as records
from "sqlanon_tied" as tied
inner join "sqlanon_positions_s1" as positions
    on
        tied.s1 is not distinct from positions.value
        and (positions.records > 0)
group by tied.p0, positions.code, positions.position
