-- relation: node_losses
-- grain: one row per level and node of the hierarchy, the root included
-- inputs: domain
-- outputs: level, node, loss
-- paper: Xu et al. 2006, NCP
-- What a class loses when it publishes the node: the leaves under it, less one, over all leaves, less
-- one; or, where labels are intervals, the interval's length over the column's range. A single value
-- loses nothing, unless its group's label stands for it all the same.
with extent as (
    select
        count(domain.code) as leaves,
        0 as length
    from "sqlanon_domain_q2" as domain
),

labelled as (
    select
        0 as level,
        domain.node_0 as node,
        min(domain.level_0) as label,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.node_0
    union all
    select
        1 as level,
        domain.node_1 as node,
        min(domain.level_1) as label,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.node_1
    union all
    select
        2 as level,
        domain.node_2 as node,
        min(domain.level_2) as label,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.node_2
    union all
    select
        3 as level,
        min(domain.code) as node,
        '*' as label,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
)

select
    labelled.level,
    labelled.node,
    case
        when labelled.leaves = extent.leaves and extent.leaves > 1 then 1.0
        when labelled.leaves = 1 then 0.0
        else cast(labelled.leaves - 1 as double) / nullif(extent.leaves - 1, 0)
    end as loss
from labelled
cross join extent
