-- relation: groups
-- grain: one row per code in use of a quasi-identifier
-- inputs: cells, levels, losses?
-- outputs: code, records, part_*|loss_*
-- paper: Samarati 2001, §3; Xu et al. 2006, NCP; Gionis & Tassa 2009, non-uniform entropy
-- The number of the code's group at every level that may be published, counted from 0 among the groups
-- in use, and what publishing that group loses, in whole units: of its own, by how many records are alike
-- in it (less what the values themselves come to on average), or the same for all of a level.
with counted as (
    select
        cells.q3 as code,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    group by cells.q3
)

select
    counted.code,
    counted.records,
    cast(dense_rank() over (order by levels.node_0) - 1 as bigint) as part_0,
    cast(floor(losses_0.loss * 500000000 + 0.5) as bigint) as loss_0,
    cast(dense_rank() over (order by levels.node_1) - 1 as bigint) as part_1,
    cast(floor(losses_1.loss * 500000000 + 0.5) as bigint) as loss_1,
    cast(dense_rank() over (order by levels.node_2) - 1 as bigint) as part_2,
    cast(floor(losses_2.loss * 500000000 + 0.5) as bigint) as loss_2,
    cast(dense_rank() over (order by levels.node_3) - 1 as bigint) as part_3,
    cast(floor(losses_3.loss * 500000000 + 0.5) as bigint) as loss_3
from counted
inner join "sqlanon_levels_q3" as levels
    on counted.code = levels.code
inner join "sqlanon_node_losses_q3" as losses_0
    on losses_0.level = 0 and levels.node_0 = losses_0.node
inner join "sqlanon_node_losses_q3" as losses_1
    on losses_1.level = 1 and levels.node_1 = losses_1.node
inner join "sqlanon_node_losses_q3" as losses_2
    on losses_2.level = 2 and levels.node_2 = losses_2.node
inner join "sqlanon_node_losses_q3" as losses_3
    on losses_3.level = 3 and levels.node_3 = losses_3.node
