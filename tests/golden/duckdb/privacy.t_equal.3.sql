-- relation: t_equal
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4; equal ground distance
-- Earth mover's distance between the class's and the table's distribution: the sum of what the
-- class has too much of, over the values present in it. Whole numbers until the last line.
with reference as (
    select cast(sum(positions.records) as bigint) as records
    from "sqlanon_positions_s1" as positions
),

surpluses as (
    select
        classes.class_id,
        classes.records,
        sum(
            case
                when class_values.records * reference.records > positions.records * classes.records
                    then class_values.records * reference.records - positions.records * classes.records
                else 0
            end
        ) as surplus
    from "sqlanon_uhra_values_s1" as class_values
    inner join "sqlanon_uhra_sizes" as classes
        on class_values.class_id = classes.class_id
    inner join "sqlanon_positions_s1" as positions
        on class_values.code = positions.code
    cross join reference
    group by classes.class_id, classes.records
),

distances as (
    select
        surpluses.class_id,
        cast(surpluses.surplus as decimal(38, 0)) as moved,
        cast(surpluses.records as decimal(38, 0)) * reference.records as scale
    from surpluses
    cross join reference
)

select
    distances.class_id,
    cast(distances.moved as double) / cast(distances.scale as double) as value,
    distances.moved as amount,
    distances.scale
from distances
