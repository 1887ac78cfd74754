-- relation: node_values
-- grain: one row per node of the lattice, class and sensitive value in it
-- inputs: rolled, classes, positions
-- outputs: class_id, code, position, records
-- paper: none
-- How many records have each sensitive value, in the classes that are left to be measured.
with members as (
    select
        cast(0 as bigint) * 240 + rolled.stem * 1 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled

),

counted as (
    select
        members.class_id,
        members.code,
        cast(sum(members.records) as bigint) as records
    from members
    inner join "sqlanon_lattice_large" as classes
        on members.class_id = classes.class_id
    group by members.class_id, members.code
)

select
    counted.class_id,
    counted.code,
    positions.position,
    counted.records
from counted
inner join "sqlanon_positions_s1" as positions
    on counted.code = positions.code
