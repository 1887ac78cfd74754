-- relation: rolled
-- grain: one row per combination of groups and sensitive values
-- inputs: placed
-- outputs: stem, s*|b*, people*, records, loss, q*_part_*|q*_loss_*
-- paper: LeFevre et al. 2005, §3.1, rollup
-- The combinations rolled up to the levels that all nodes of a stretch of the lattice have in common,
-- whose groups are numbered together (stem); the other attributes are kept at all of their levels.
with combinations as (
    select
        1 as one,
        placed.q1_part_0,
        placed.q2_part_1,
        placed.q3_part_0,
        placed.s1,
        min(
            placed.q1_loss_0
            + placed.q2_loss_1
            + placed.q3_loss_0
        ) as loss,
        cast(sum(placed.records) as bigint) as records
    from "sqlanon_lattice_placed" as placed
    group by
        placed.q1_part_0,
        placed.q2_part_1,
        placed.q3_part_0,
        placed.s1
)

select
    cast(
        dense_rank() over (
            order by
                combinations.one,
                combinations.q1_part_0,
                combinations.q2_part_1,
                combinations.q3_part_0
        ) - 1 as bigint
    ) as stem,
    combinations.s1,
    combinations.records,
    cast(combinations.loss as bigint) as loss
from combinations
