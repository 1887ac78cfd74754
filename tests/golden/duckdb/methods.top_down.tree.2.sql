-- relation: tree
-- grain: one row per code and level
-- inputs: cells, levels, losses
-- outputs: code, records, level, node, loss, next_level
-- paper: Fung, Wang & Yu 2005, §3; Xu et al. 2006, NCP
-- The node over every code at each level, and what a record loses by it, in whole units. It is specialized to
-- its nodes of the next level at which its records lose less; there is none where all of them are alike.
with counted as (
    select
        cells.q2 as code,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    group by cells.q2
),

nodes as (
    select
        levels.code,
        0 as level,
        levels.node_0 as node
    from "sqlanon_levels_q2" as levels
    union all
    select
        levels.code,
        1 as level,
        levels.node_1 as node
    from "sqlanon_levels_q2" as levels
    union all
    select
        levels.code,
        2 as level,
        levels.node_2 as node
    from "sqlanon_levels_q2" as levels
    union all
    select
        levels.code,
        3 as level,
        levels.node_3 as node
    from "sqlanon_levels_q2" as levels
    union all
    select
        levels.code,
        4 as level,
        levels.node_4 as node
    from "sqlanon_levels_q2" as levels

),

placed as (
    select
        nodes.code,
        coalesce(counted.records, 0) as records,
        nodes.level,
        nodes.node,
        cast(floor(losses.loss * 200000000 + 0.5) as bigint) as loss
    from nodes
    inner join "sqlanon_node_losses_q2" as losses
        on nodes.level = losses.level and nodes.node = losses.node
    left join counted
        on nodes.code = counted.code
),

compared as (
    select
        placed.level,
        placed.node,
        lower.level as next_level,
        sum(placed.records * (placed.loss - lower.loss)) as gain
    from placed
    inner join placed as lower
        on placed.code = lower.code and placed.level > lower.level
    group by placed.level, placed.node, lower.level
),

steps as (
    select
        compared.level,
        compared.node,
        max(compared.next_level) as next_level
    from compared
    where compared.gain > 0
    group by compared.level, compared.node
)

select
    placed.code,
    placed.records,
    placed.level,
    placed.node,
    placed.loss,
    steps.next_level
from placed
left join steps
    on placed.level = steps.level and placed.node = steps.node
