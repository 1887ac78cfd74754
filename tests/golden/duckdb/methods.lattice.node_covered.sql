-- relation: node_covered
-- grain: one row per node of the lattice and class
-- inputs: rolled, classes
-- outputs: class_id, records, covered
-- paper: Sweeney 2002, k-map
-- How many persons of the population lie in the classes that are left to be measured: a class is a group
-- at one level of every attribute, and so is what is published of it.
with members as (
    select
        cast(4 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(5 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(6 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(7 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(8 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(9 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(10 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(11 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_0 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(16 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(17 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(18 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(19 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_2 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(20 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_0 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(21 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_1 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(22 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_2 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled
    union all
    select
        cast(23 as bigint) * 16473600 + rolled.stem * 28800 + rolled.q1_part_1 * 1 + rolled.q2_part_3 * 2 + rolled.q3_part_3 * 480 as class_id,
        rolled.people
    from "sqlanon_lattice_rolled" as rolled

)

select
    classes.class_id,
    min(classes.records) as records,
    cast(sum(members.people) as bigint) as covered
from "sqlanon_lattice_large" as classes
inner join members
    on classes.class_id = members.class_id
group by classes.class_id
