-- relation: class_loss
-- grain: one row per equivalence class
-- inputs: classes, domain_*, nodes_*, centroid_losses?
-- outputs: class_id, q*_loss, loss
-- paper: Xu et al. 2006, NCP; Amiri et al. 2023, §3.3 (with the range in place of the count)
-- The loss of each published cell, 0 for a single value and 1 for the whole domain: the length of an
-- interval over the column's range (of a listed order, from place to place), or the leaves under a
-- node, less one, over all leaves, less one.
-- A centroid does not tell what it loses: that is what a run found, and NULL without one.
-- NULL where a published cell is none of these. Cells are read as text: a table may hold numbers.
with extents as (
    select
        1 as one,
        (select min(cast(domain.value as double)) from "sqlanon_domain_q1" as domain)
            as q1_first,
        (select max(cast(domain.value as double)) from "sqlanon_domain_q1" as domain)
            as q1_last,
        (select count(*) from "sqlanon_domain_q2")
            as q2_leaves,
        (select count(*) from "sqlanon_domain_q3")
            as q3_leaves
),

-- Every published cell: as text, and the ends of an interval.
read_cells as (
    select
        classes.class_id,
        case
            when cast(classes.p1 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p1 as varchar), 2, strpos(cast(classes.p1 as varchar), ', ') - 2) as double)
        end as q1_low,
        case
            when cast(classes.p1 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p1 as varchar), strpos(cast(classes.p1 as varchar), ', ') + 2, length(cast(classes.p1 as varchar)) - strpos(cast(classes.p1 as varchar), ', ') - 2) as double)
        end as q1_high,
        cast(classes.p1 as varchar) as q1_cell,
        cast(classes.p2 as varchar) as q2_cell,
        cast(classes.p3 as varchar) as q3_cell
    from "sqlanon_classes" as classes
),

cells as (
    select
        read_cells.class_id,
        case
            when read_cells.q1_cell is null then 0.0
            when read_cells.q1_cell = '*' then 1.0
            when read_cells.q1_high = read_cells.q1_low then 0.0
            when read_cells.q1_high - read_cells.q1_low >= extents.q1_last - extents.q1_first then 1.0
            when read_cells.q1_high - read_cells.q1_low is not null
                then (read_cells.q1_high - read_cells.q1_low) / (extents.q1_last - extents.q1_first)
            when try_cast(read_cells.q1_cell as double) is not null then 0.0
        end as q1_loss,
        case
            when read_cells.q2_cell is null then 0.0
            when read_cells.q2_cell = '*' then 1.0
            when left(read_cells.q2_cell, 1) <> '{' and single_q2.code is not null then 0.0
            when left(read_cells.q2_cell, 1) <> '{' then null
            when extents.q2_leaves = 1 then 0.0
            else
                cast(length(read_cells.q2_cell) - length(replace(read_cells.q2_cell, ',', '')) as double)
                / (extents.q2_leaves - 1)
        end as q2_loss,
        case
            when read_cells.q3_cell is null then 0.0
            when read_cells.q3_cell = '*' then 1.0
            when left(read_cells.q3_cell, 1) <> '{' and single_q3.code is not null then 0.0
            when left(read_cells.q3_cell, 1) <> '{' then null
            when extents.q3_leaves = 1 then 0.0
            else
                cast(length(read_cells.q3_cell) - length(replace(read_cells.q3_cell, ',', '')) as double)
                / (extents.q3_leaves - 1)
        end as q3_loss
    from read_cells
    cross join extents
    left join "sqlanon_domain_q2" as single_q2
        on read_cells.q2_cell = single_q2.level_0
    left join "sqlanon_domain_q3" as single_q3
        on read_cells.q3_cell = single_q3.level_0
)

select
    cells.class_id,
    round(cells.q1_loss, 12) as q1_loss,
    round(cells.q2_loss, 12) as q2_loss,
    round(cells.q3_loss, 12) as q3_loss,
    round(
        (
            1 * cells.q1_loss
            + 1 * cells.q2_loss
            + 1 * cells.q3_loss
        ) / 3,
        12
    ) as loss
from cells
