-- relation: node_values
-- grain: one row per node of the lattice, class and sensitive value in it
-- inputs: rolled, classes, positions
-- outputs: class_id, code, position, records
-- paper: none
-- How many records have each sensitive value, in the classes that are left to be measured.
with members as (
    select
        cast(5 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(6 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(7 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(9 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(10 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(11 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(17 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(18 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(19 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(21 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(22 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.s1 as code,
        rolled.records
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(23 as bigint) * 6912000 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
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
