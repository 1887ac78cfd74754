-- relation: level_cells
-- grain: one row per class whose cell is a label of the column's level
-- inputs: classes, domain
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that the cell stands for; NULL stands for NULL. The column's level is the lowest of those
-- within what is asked for that have most of its cells as labels.
with labels as (
    select
        1 as level,
        domain.level_1 as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_q2" as domain
    group by domain.level_1, domain.node_1
    union all
    select
        2 as level,
        domain.level_2 as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_q2" as domain
    group by domain.level_2, domain.node_2
    union all
    select
        3 as level,
        domain.level_3 as label,
        min(domain.code) as low,
        max(domain.code) as high
    from "sqlanon_domain_q2" as domain
    group by domain.level_3, domain.node_3

),

matched as (
    select
        labels.level,
        classes.class_id,
        min(labels.low) as low,
        max(labels.high) as high
    from "sqlanon_cell_texts" as classes
    inner join labels
        on
            cast(classes.p2 as varchar)
            is not distinct from cast(labels.label as varchar)
    group by labels.level, classes.class_id
),

levels as (
    select
        matched.level,
        row_number() over (order by count(*) desc, matched.level asc) as place
    from matched
    group by matched.level
)

select
    matched.class_id,
    matched.low,
    matched.high,
    1 as whole
from matched
inner join levels
    on matched.level = levels.level and levels.place = 1
