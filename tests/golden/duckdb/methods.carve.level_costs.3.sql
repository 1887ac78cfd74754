-- relation: level_costs
-- grain: one row per level of a quasi-identifier and sensitive attribute
-- inputs: cells, scale
-- outputs: attribute, level, groups, cost, entropy, joint_entropy
-- paper: sqlanon, Carve §3
-- What tells a fine level from a coarse one: how many groups it has, what publishing them costs a
-- record, and in bits how small they get (entropy) and how much they tell of each sensitive attribute,
-- numbered from 1, or of none (joint entropy). Rounded, so that the order of summation does not matter.
with counted as (
    select
        0 as attribute,
        cells.q1 as code,
        0 as value,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_search_cells" as cells
    group by cells.q1
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
    inner join "sqlanon_scale_q1" as scale
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
    inner join "sqlanon_scale_q1" as scale
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
    inner join "sqlanon_scale_q1" as scale
        on counted.code = scale.code
    union all
    select
        3 as level,
        scale.node_3 as node,
        scale.loss_3 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q1" as scale
        on counted.code = scale.code
    union all
    select
        4 as level,
        scale.node_4 as node,
        scale.loss_4 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q1" as scale
        on counted.code = scale.code
    union all
    select
        5 as level,
        scale.node_5 as node,
        scale.loss_5 as loss,
        counted.attribute,
        counted.code,
        counted.value,
        counted.records
    from counted
    inner join "sqlanon_scale_q1" as scale
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

-- A set costs as many values as a class of a few records is likely to hold, beyond the first: over
-- the values of a group, the sum of 1 - (1 - share) ^ records.
group_codes as (
    select
        levelled.attribute,
        levelled.level,
        levelled.node,
        cast(sum(levelled.records) as bigint) as records
    from levelled
    group by levelled.attribute, levelled.level, levelled.node, levelled.code
),

costs as (
    select
        groups.attribute,
        groups.level,
        floor(
            83333333 * sum(
                groups.share * (1 - power(1 - cast(group_codes.records as double) / groups.records, 40))
            ) - 83333333 + 0.5
        ) as cost
    from groups
    inner join group_codes
        on
            groups.attribute = group_codes.attribute
            and groups.level = group_codes.level
            and groups.node = group_codes.node
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
