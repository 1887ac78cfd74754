-- relation: projected_sums
-- grain: one row
-- inputs: placed
-- outputs: failing
-- paper: LeFevre et al. 2005, §3, the generalizations of a subset of the quasi-identifiers
-- How many records share their groups of some attributes, each at one level, with too few others.
with groups as (
    select
        placed.q1_part_3,
        cast(sum(placed.records) as bigint) as records
    from "sqlanon_lattice_placed" as placed
    group by placed.q1_part_3
)

select cast(coalesce(sum(case when groups.records < 20 then groups.records end), 0) as bigint) as failing
from groups
