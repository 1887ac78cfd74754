-- relation: guarded_share
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Xiao and Tao 2006, section 3
-- Of every node that a member guards, how many records of the class have a value under it: the most.
-- A class in which nobody guards anything tells of nobody: 0.
with members as (
    select
        class_values.class_id,
        positions.own,
        positions.low,
        positions.high,
        class_values.records
    from "sqlanon_class_values_s2" as class_values
    inner join "sqlanon_positions_s2" as positions
        on class_values.code = positions.code
),

owned as (
    select
        members.class_id,
        members.own,
        sum(members.records) as records
    from members
    group by members.class_id, members.own
),

guarded as (
    select distinct
        members.class_id,
        members.low,
        members.high
    from members
    where members.low is not null
),

under_nodes as (
    select
        guarded.class_id,
        sum(owned.records) as records
    from guarded
    inner join owned
        on
            guarded.class_id = owned.class_id
            and guarded.low <= owned.own
            and guarded.high >= owned.own
    group by guarded.class_id, guarded.low, guarded.high
),

greatest_nodes as (
    select
        under_nodes.class_id,
        max(under_nodes.records) as records
    from under_nodes
    group by under_nodes.class_id
)

select
    classes.class_id,
    cast(coalesce(greatest_nodes.records, 0) as double) / classes.records as value,
    cast(coalesce(greatest_nodes.records, 0) as decimal(38, 0)) as amount,
    cast(classes.records as decimal(38, 0)) as scale
from "sqlanon_classes" as classes
left join greatest_nodes
    on classes.class_id = greatest_nodes.class_id
