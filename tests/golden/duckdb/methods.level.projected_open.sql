with combinations as (
    select
        placed.q1_part_0,
        placed.q2_part_2,
        placed.q3_part_1,
        cast(sum(placed.records) as bigint) as records
    from "sqlanon_lattice_placed" as placed
    group by placed.q1_part_0, placed.q2_part_2, placed.q3_part_1
),

classes as (
    select
        cast(
            row_number() over (
                order by
                    combinations.q1_part_0,
                    combinations.q2_part_2,
                    combinations.q3_part_1
            ) + 0 - 1 as bigint
        ) as class_id,
        combinations.records,
        dense_rank() over (
            order by combinations.q1_part_0, combinations.q2_part_2
        ) as projection_1,
        dense_rank() over (
            order by combinations.q3_part_1
        ) as projection_2
    from combinations
),

failures as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
)

select
    classes.class_id,
    classes.records,
    1 as holds,
    classes.projection_1,
    classes.projection_2
from classes
left join failures
    on classes.class_id = failures.class_id
where
    classes.records >= 5
    and failures.class_id is null
