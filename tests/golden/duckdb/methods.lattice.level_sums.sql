-- relation: level_sums
-- grain: one row per quasi-identifier and level
-- inputs: groups_*
-- outputs: place, level, groups, loss
-- paper: none
-- How many groups are in use at each level, and what publishing all records by them loses.
with sums as (
    select
        0 as place,
        0 as level,
        count(distinct groups.part_0) as groups,
        cast(sum(groups.records * groups.loss_0) as bigint) as loss
    from "sqlanon_lattice_groups_q1" as groups
    union all
    select
        0 as place,
        1 as level,
        count(distinct groups.part_1) as groups,
        cast(sum(groups.records * groups.loss_1) as bigint) as loss
    from "sqlanon_lattice_groups_q1" as groups
    union all
    select
        1 as place,
        1 as level,
        count(distinct groups.part_1) as groups,
        cast(sum(groups.records * groups.loss_1) as bigint) as loss
    from "sqlanon_lattice_groups_q2" as groups
    union all
    select
        1 as place,
        2 as level,
        count(distinct groups.part_2) as groups,
        cast(sum(groups.records * groups.loss_2) as bigint) as loss
    from "sqlanon_lattice_groups_q2" as groups
    union all
    select
        1 as place,
        3 as level,
        count(distinct groups.part_3) as groups,
        cast(sum(groups.records * groups.loss_3) as bigint) as loss
    from "sqlanon_lattice_groups_q2" as groups
    union all
    select
        2 as place,
        0 as level,
        count(distinct groups.part_0) as groups,
        cast(sum(groups.records * groups.loss_0) as bigint) as loss
    from "sqlanon_lattice_groups_q3" as groups
    union all
    select
        2 as place,
        1 as level,
        count(distinct groups.part_1) as groups,
        cast(sum(groups.records * groups.loss_1) as bigint) as loss
    from "sqlanon_lattice_groups_q3" as groups
    union all
    select
        2 as place,
        2 as level,
        count(distinct groups.part_2) as groups,
        cast(sum(groups.records * groups.loss_2) as bigint) as loss
    from "sqlanon_lattice_groups_q3" as groups
    union all
    select
        2 as place,
        3 as level,
        count(distinct groups.part_3) as groups,
        cast(sum(groups.records * groups.loss_3) as bigint) as loss
    from "sqlanon_lattice_groups_q3" as groups

)

select
    sums.place,
    sums.level,
    sums.groups,
    sums.loss
from sums
