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

)

select
    sums.place,
    sums.level,
    sums.groups,
    sums.loss
from sums
