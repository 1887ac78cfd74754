-- relation: scale_hierarchy
-- grain: one row per code of a quasi-identifier with a hierarchy
-- inputs: cells, levels, losses
-- outputs: code, original, axis, spread, node_*|loss_*
-- paper: sqlanon, Split-or-Deal §4
-- The codes renumbered depth first, the most frequent child of every node first, so that one cut can
-- set a frequent value apart. Each with its middle rank among the records (spread, 0 to 1000), and at
-- every level with its node, named by the first code under it, and what publishing that loses: for
-- queries the error of a query for one value, when each under the node is taken to be as likely.
with counted as (
    select
        levels.code,
        cast(coalesce(sum(cells.records), 0) as bigint) as records
    from "sqlanon_levels_q1" as levels
    left join "sqlanon_cells" as cells
        on levels.code = cells.q1
    group by levels.code
),

weighed as (
    select
        levels.code,
        counted.records,
        levels.node_0,
        cast(sum(counted.records) over (partition by levels.node_0) as bigint) as records_0,
        levels.node_1,
        cast(sum(counted.records) over (partition by levels.node_1) as bigint) as records_1,
        levels.node_2,
        cast(sum(counted.records) over (partition by levels.node_2) as bigint) as records_2,
        levels.node_3,
        cast(sum(counted.records) over (partition by levels.node_3) as bigint) as records_3,
        levels.node_4,
        cast(sum(counted.records) over (partition by levels.node_4) as bigint) as records_4
    from "sqlanon_levels_q1" as levels
    inner join counted
        on levels.code = counted.code
),

numbered as (
    select
        weighed.code,
        weighed.records,
        weighed.node_0,
        weighed.node_1,
        weighed.node_2,
        weighed.node_3,
        weighed.node_4,
        row_number() over (
            order by
                weighed.records_4 desc,
                weighed.node_4 asc,
                weighed.records_3 desc,
                weighed.node_3 asc,
                weighed.records_2 desc,
                weighed.node_2 asc,
                weighed.records_1 desc,
                weighed.node_1 asc,
                weighed.records_0 desc,
                weighed.node_0 asc,
                weighed.code asc
        ) as place
    from weighed
),

ranked as (
    select
        numbered.code,
        numbered.place,
        numbered.node_0,
        numbered.node_1,
        numbered.node_2,
        numbered.node_3,
        numbered.node_4,
        cast(
            2 * sum(numbered.records) over (order by numbered.place rows unbounded preceding) - numbered.records
            as bigint
        ) as middle
    from numbered
),

node_losses as (
    select
        losses.level,
        losses.node,
        cast(floor(losses.loss * 153846154 + 0.5) as bigint) as loss
    from "sqlanon_node_losses_q1" as losses
)

select
    ranked.place as code,
    ranked.code as original,
    cast(0 as bigint) as axis,
    cast(floor(500.0 * ranked.middle / 240) as bigint) as spread,
    min(ranked.place) over (partition by ranked.node_0) as node_0,
    losses_0.loss as loss_0,
    min(ranked.place) over (partition by ranked.node_1) as node_1,
    losses_1.loss as loss_1,
    min(ranked.place) over (partition by ranked.node_2) as node_2,
    losses_2.loss as loss_2,
    min(ranked.place) over (partition by ranked.node_3) as node_3,
    losses_3.loss as loss_3,
    min(ranked.place) over (partition by ranked.node_4) as node_4,
    losses_4.loss as loss_4
from ranked
inner join node_losses as losses_0
    on losses_0.level = 0 and ranked.node_0 = losses_0.node
inner join node_losses as losses_1
    on losses_1.level = 1 and ranked.node_1 = losses_1.node
inner join node_losses as losses_2
    on losses_2.level = 2 and ranked.node_2 = losses_2.node
inner join node_losses as losses_3
    on losses_3.level = 3 and ranked.node_3 = losses_3.node
inner join node_losses as losses_4
    on losses_4.level = 4 and ranked.node_4 = losses_4.node
