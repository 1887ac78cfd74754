-- relation: continued
-- grain: one row per person
-- inputs: units, grouped, standing, fresh_classes
-- outputs: class_id, q*, x0
-- paper: none
-- Those who shared their classes stay together, each group a class; new persons are in classes of their
-- own, numbered after them.
with last_group as (
    select max(standing.number) as number
    from "sqlanon_earlier_standing" as standing
),

classes as (
    select
        grouped.number as class_id,
        grouped.x0
    from "sqlanon_earlier_grouped" as grouped
    inner join "sqlanon_earlier_standing" as standing
        on grouped.number = standing.number
    where standing.fresh = 0 and standing.fails = 0
    union all
    select
        last_group.number + fresh_classes.class_id as class_id,
        fresh_classes.x0
    from "sqlanon_new_classes" as fresh_classes
    cross join last_group
)

select
    classes.class_id,
    units.q1,
    units.q2,
    units.x0
from classes
inner join "sqlanon_units" as units
    on classes.x0 = units.x0
