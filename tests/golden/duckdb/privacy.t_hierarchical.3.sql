-- relation: t_hierarchical
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.2; hierarchical ground distance
-- Over a hierarchy of height H the distance is the mean, over the levels below the root, of the
-- equal distance between the distributions at that level. Whole numbers until the last line.
with reference as (
    select cast(sum(positions.records) as bigint) as records
    from "sqlanon_positions_s1" as positions
),

node_frequencies as (
    select
        0 as level,
        positions.node_0 as node,
        cast(sum(positions.records) as bigint) as frequency
    from "sqlanon_positions_s1" as positions
    group by positions.node_0
    union all
    select
        1 as level,
        positions.node_1 as node,
        cast(sum(positions.records) as bigint) as frequency
    from "sqlanon_positions_s1" as positions
    group by positions.node_1

),

class_nodes as (
    select
        class_values.class_id,
        0 as level,
        positions.node_0 as node,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_lattice_chosen_values_s1" as class_values
    inner join "sqlanon_positions_s1" as positions
        on class_values.code = positions.code
    group by class_values.class_id, positions.node_0
    union all
    select
        class_values.class_id,
        1 as level,
        positions.node_1 as node,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_lattice_chosen_values_s1" as class_values
    inner join "sqlanon_positions_s1" as positions
        on class_values.code = positions.code
    group by class_values.class_id, positions.node_1

),

surpluses as (
    select
        classes.class_id,
        classes.records,
        sum(
            case
                when class_nodes.records * reference.records > node_frequencies.frequency * classes.records
                    then class_nodes.records * reference.records - node_frequencies.frequency * classes.records
                else 0
            end
        ) as surplus
    from class_nodes
    inner join node_frequencies
        on class_nodes.level = node_frequencies.level and class_nodes.node = node_frequencies.node
    inner join "sqlanon_lattice_chosen_sizes" as classes
        on class_nodes.class_id = classes.class_id
    cross join reference
    group by classes.class_id, classes.records
),

distances as (
    select
        surpluses.class_id,
        cast(surpluses.surplus as decimal(38, 0)) as moved,
        cast(surpluses.records as decimal(38, 0)) * reference.records * 2 as scale
    from surpluses
    cross join reference
)

select
    distances.class_id,
    cast(distances.moved as double) / cast(distances.scale as double) as value,
    distances.moved as amount,
    distances.scale
from distances
