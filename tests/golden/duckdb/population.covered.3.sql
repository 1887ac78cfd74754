-- relation: covered
-- grain: one row per equivalence class
-- inputs: classes, population, cells_*, set_members_*
-- outputs: class_id, records, covered
-- paper: Sweeney 2002, k-map; Nergiz, Atzori and Clifton 2007, delta-presence
-- How many rows of the population lie in the cells of every class: between the least and the greatest
-- code of each, or among its members. Cells may overlap, so that a row can lie in several classes. Of
-- a cell that cannot be read nothing is known: it covers nobody.
with members_q2 as (
    select
        set_members.class_id,
        set_members.code
    from "sqlanon_set_members_q2" as set_members
    group by set_members.class_id, set_members.code
),

boxes as (
    select
        classes.class_id,
        cells_q1.low as q1_low,
        cells_q1.high as q1_high,
        cells_q3.low as q3_low,
        cells_q3.high as q3_high
    from "sqlanon_classes" as classes
    inner join "sqlanon_covered_q1" as cells_q1
        on classes.class_id = cells_q1.class_id
    inner join "sqlanon_covered_q3" as cells_q3
        on classes.class_id = cells_q3.class_id
),

inside as (
    select
        boxes.class_id,
        cast(sum(population.records) as bigint) as covered
    from boxes
    inner join members_q2
        on boxes.class_id = members_q2.class_id
    inner join "sqlanon_people_tuples" as population
        on
            boxes.q1_low <= population.q1
            and boxes.q1_high >= population.q1
            and members_q2.code = population.q2
            and boxes.q3_low <= population.q3
            and boxes.q3_high >= population.q3
    group by boxes.class_id
)

select
    classes.class_id,
    classes.records,
    coalesce(inside.covered, 0) as covered
from "sqlanon_classes" as classes
left join inside
    on classes.class_id = inside.class_id
