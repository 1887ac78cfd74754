with counted as (
    select
        1 as attribute,
        cells.q2 as code,
        cells.s1 as value,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_search_cells" as cells
    group by cells.q2, cells.s1

),

levelled as (
    select
        0 as level,
        scale.node_0 as node,
        scale.loss_0 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q2" as scale
        on counted.code = scale.code
    union all
    select
        1 as level,
        scale.node_1 as node,
        scale.loss_1 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q2" as scale
        on counted.code = scale.code
    union all
    select
        2 as level,
        scale.node_2 as node,
        scale.loss_2 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q2" as scale
        on counted.code = scale.code

),

groups as (
    select
        levelled.attribute,
        levelled.level,
        levelled.node,
        sum(levelled.records * levelled.loss) as loss,
        cast(sum(levelled.records) as bigint) as records,
        cast(sum(levelled.records) as double) / 240 as share
    from levelled
    group by levelled.attribute, levelled.level, levelled.node
),

group_values as (
    select
        levelled.attribute,
        levelled.level,
        cast(sum(levelled.records) as double) / 240 as share
    from levelled
    group by levelled.attribute, levelled.level, levelled.node, levelled.value
),

joints as (
    select
        group_values.attribute,
        group_values.level,
        floor(sum(-group_values.share * ln(group_values.share)) / ln(2.0) * 1000000 + 0.5) / 1000000
            as joint_entropy
    from group_values
    group by group_values.attribute, group_values.level
),

costs as (
    select
        groups.attribute,
        groups.level,
        floor(cast(sum(groups.loss) as double) / sum(groups.records)) as cost
    from groups
    group by groups.attribute, groups.level
),

entropies as (
    select
        groups.attribute,
        groups.level,
        count(*) as groups,
        floor(sum(-groups.share * ln(groups.share)) / ln(2.0) * 1000000 + 0.5) / 1000000 as entropy
    from groups
    group by groups.attribute, groups.level
)

select
    entropies.attribute,
    entropies.level,
    entropies.groups,
    cast(costs.cost as bigint) as cost,
    entropies.entropy,
    joints.joint_entropy
from entropies
inner join costs
    on entropies.attribute = costs.attribute and entropies.level = costs.level
inner join joints
    on entropies.attribute = joints.attribute and entropies.level = joints.level
