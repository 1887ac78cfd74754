-- relation: placed
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: cells, cells_*, set_members_*
-- outputs: class_id, q*, s*|b*, records
-- paper: none
-- The cell of an earlier release that every combination lies in: of several the narrowest, by the share of each
-- column that it covers. It is 0 where there is none.
with tuples as (
    select distinct
        cells.q1,
        cells.q2,
        cells.q3
    from "sqlanon_cells" as cells
),

extent_q1 as (
    select max(earlier.high) + 1 as codes
    from "sqlanon_recipe_cells_q1" as earlier
),

extent_q2 as (
    select max(earlier.high) + 1 as codes
    from "sqlanon_recipe_cells_q2" as earlier
),

extent_q3 as (
    select max(earlier.high) + 1 as codes
    from "sqlanon_recipe_cells_q3" as earlier
),

boxes as (
    select
        cells_q1.class_id,
        cells_q1.low as q1_low,
        cells_q1.high as q1_high,
        cells_q2.low as q2_low,
        cells_q2.high as q2_high,
        cells_q3.low as q3_low,
        cells_q3.high as q3_high,
        (cells_q1.high - cells_q1.low) * 1000000 // extent_q1.codes + (cells_q2.high - cells_q2.low) * 1000000 // extent_q2.codes + (cells_q3.high - cells_q3.low) * 1000000 // extent_q3.codes as width
    from "sqlanon_recipe_cells_q1" as cells_q1
    inner join "sqlanon_recipe_cells_q2" as cells_q2
        on cells_q1.class_id = cells_q2.class_id
    inner join "sqlanon_recipe_cells_q3" as cells_q3
        on cells_q1.class_id = cells_q3.class_id
    cross join extent_q1
    cross join extent_q2
    cross join extent_q3
),

inside as (
    select
        tuples.q1,
        tuples.q2,
        tuples.q3,
        boxes.class_id,
        row_number() over (
            partition by tuples.q1, tuples.q2, tuples.q3
            order by boxes.width asc, boxes.class_id asc
        ) as place
    from tuples
    inner join boxes
        on
            tuples.q1 >= boxes.q1_low
            and tuples.q1 <= boxes.q1_high
            and tuples.q2 >= boxes.q2_low
            and tuples.q2 <= boxes.q2_high
            and tuples.q3 >= boxes.q3_low
            and tuples.q3 <= boxes.q3_high
)

select
    coalesce(inside.class_id, 0) as class_id,
    cells.q1,
    cells.q2,
    cells.q3,
    cells.s1,
    cells.records
from "sqlanon_cells" as cells
left join inside
    on
        inside.place = 1
        and cells.q1 = inside.q1
        and cells.q2 = inside.q2
        and cells.q3 = inside.q3
