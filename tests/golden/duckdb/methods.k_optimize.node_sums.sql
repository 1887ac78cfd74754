-- relation: node_sums
-- grain: one row per node
-- inputs: node_classes, node_parts, held?
-- outputs: node, kept, failing, doomed, useful, cost, bound
-- paper: Bayardo & Agrawal 2005, §4.1, lower bound; §4.2, useless values
-- How many records the node keeps, how many lie in classes that fail, and how many of these fail whatever
-- else is split (doomed). The cost of the node: the squares of its classes or what they lose, and for a record
-- that is suppressed all records or all that it can lose. The least that a node below can cost: what
-- is doomed is suppressed, and what is not lies in its finest class or in one of the least size. Its
-- last split is useful if a class that it parts has a side of the least size.
with judged as (
    select
        node_classes.node,
        node_classes.class_id,
        node_classes.records,
        node_classes.loss,
        case when node_classes.records >= 10 then 1 else 0 end as large,
        coalesce(passing.holds, 0) as holds,
        count(*) over (partition by node_classes.parent_id) as sides
    from "sqlanon_split_classes" as node_classes
    left join (
        select
            held.class_id,
            min(held.holds) as holds
        from "sqlanon_lattice_held" as held
        group by held.class_id
    ) as passing
        on node_classes.class_id = passing.class_id
),

costs as (
    select
        judged.node,
        cast(sum(judged.records * judged.holds) as bigint) as kept,
        cast(sum(judged.records * (1 - judged.holds)) as bigint) as failing,
        cast(sum(judged.records * (1 - judged.large)) as bigint) as doomed,
        max(case when judged.sides > 1 then judged.large else 0 end) as useful,
        cast(sum(judged.loss * judged.holds + judged.records * 999999999 * (1 - judged.holds)) as bigint) as cost
    from judged
    group by judged.node
),

bounds as (
    select
        node_parts.node,
        cast(
            sum(
                case
                    when judged.large = 0 then node_parts.records * 999999999
                    else node_parts.finest_loss
                end
            ) as bigint
        ) as bound
    from "sqlanon_split_parts" as node_parts
    inner join judged
        on node_parts.class_id = judged.class_id
    group by node_parts.node
)

select
    costs.node,
    costs.kept,
    costs.failing,
    costs.doomed,
    costs.useful,
    costs.cost,
    bounds.bound
from costs
inner join bounds
    on costs.node = bounds.node
