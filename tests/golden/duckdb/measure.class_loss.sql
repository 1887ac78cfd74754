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
        (select min(cast(domain.value as double)) from "sqlanon_domain_q3" as domain)
            as q3_first,
        (select max(cast(domain.value as double)) from "sqlanon_domain_q3" as domain)
            as q3_last,
        (select min(cast(extract(epoch from cast(domain.value as timestamp)) as double)) from "sqlanon_domain_q4" as domain)
            as q4_first,
        (select max(cast(extract(epoch from cast(domain.value as timestamp)) as double)) from "sqlanon_domain_q4" as domain)
            as q4_last,
        (select count(*) from "sqlanon_domain_q5")
            as q5_leaves,
        (select count(*) from "sqlanon_domain_q6")
            as q6_leaves,
        (select min(cast(domain.value as double)) from "sqlanon_domain_q7" as domain)
            as q7_first,
        (select max(cast(domain.value as double)) from "sqlanon_domain_q7" as domain)
            as q7_last
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
        case
            when cast(classes.p3 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p3 as varchar), 2, strpos(cast(classes.p3 as varchar), ', ') - 2) as double)
        end as q3_low,
        case
            when cast(classes.p3 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p3 as varchar), strpos(cast(classes.p3 as varchar), ', ') + 2, length(cast(classes.p3 as varchar)) - strpos(cast(classes.p3 as varchar), ', ') - 2) as double)
        end as q3_high,
        cast(classes.p3 as varchar) as q3_cell,
        case
            when cast(classes.p4 as varchar) like '[%, _%'
                then cast(extract(epoch from try_cast(substr(cast(classes.p4 as varchar), 2, strpos(cast(classes.p4 as varchar), ', ') - 2) as timestamp)) as double)
        end as q4_low,
        case
            when cast(classes.p4 as varchar) like '[%, _%'
                then cast(extract(epoch from try_cast(substr(cast(classes.p4 as varchar), strpos(cast(classes.p4 as varchar), ', ') + 2, length(cast(classes.p4 as varchar)) - strpos(cast(classes.p4 as varchar), ', ') - 2) as timestamp)) as double)
        end as q4_high,
        cast(classes.p4 as varchar) as q4_cell,
        cast(classes.p5 as varchar) as q5_cell,
        cast(classes.p6 as varchar) as q6_cell,
        cast(classes.p7 as double) as q7_low,
        cast(classes.p8 as double) as q7_high,
        cast(classes.p7 as varchar) as q7_cell
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
            when extents.q2_leaves = 1 then 0.0
            else cast(nodes_q2.leaves - 1 as double) / (extents.q2_leaves - 1)
        end as q2_loss,
        case
            when read_cells.q3_cell is null then 0.0
            when read_cells.q3_cell = '*' then 1.0
            when read_cells.q3_high = read_cells.q3_low then 0.0
            when read_cells.q3_high - read_cells.q3_low >= extents.q3_last - extents.q3_first then 1.0
            when read_cells.q3_high - read_cells.q3_low is not null
                then (read_cells.q3_high - read_cells.q3_low) / (extents.q3_last - extents.q3_first)
            when try_cast(read_cells.q3_cell as double) is not null then 0.0
        end as q3_loss,
        case
            when read_cells.q4_cell is null then 0.0
            when read_cells.q4_cell = '*' then 1.0
            when read_cells.q4_high = read_cells.q4_low then 0.0
            when read_cells.q4_high - read_cells.q4_low >= extents.q4_last - extents.q4_first then 1.0
            when read_cells.q4_high - read_cells.q4_low is not null
                then (read_cells.q4_high - read_cells.q4_low) / (extents.q4_last - extents.q4_first)
            when cast(extract(epoch from try_cast(read_cells.q4_cell as timestamp)) as double) is not null then 0.0
        end as q4_loss,
        case
            when read_cells.q5_cell is null then 0.0
            when extents.q5_leaves = 1 then 0.0
            else cast(nodes_q5.leaves - 1 as double) / (extents.q5_leaves - 1)
        end as q5_loss,
        case
            when read_cells.q6_cell is null then 0.0
            when read_cells.q6_cell = '*' then 1.0
            when left(read_cells.q6_cell, 1) <> '{' and single_q6.code is not null then 0.0
            when left(read_cells.q6_cell, 1) <> '{' then null
            when extents.q6_leaves = 1 then 0.0
            else
                cast(length(read_cells.q6_cell) - length(replace(read_cells.q6_cell, ',', '')) as double)
                / (extents.q6_leaves - 1)
        end as q6_loss,
        case
            when read_cells.q7_low is null then 1.0
            when read_cells.q7_low = read_cells.q7_high then 0.0
            else (read_cells.q7_high - read_cells.q7_low) / (extents.q7_last - extents.q7_first)
        end as q7_loss
    from read_cells
    cross join extents
    left join "sqlanon_nodes_q2" as nodes_q2
        on read_cells.q2_cell = nodes_q2.label
    left join "sqlanon_nodes_q5" as nodes_q5
        on read_cells.q5_cell = nodes_q5.label
    left join "sqlanon_domain_q6" as single_q6
        on read_cells.q6_cell = single_q6.level_0
)

select
    cells.class_id,
    round(cells.q1_loss, 12) as q1_loss,
    round(cells.q2_loss, 12) as q2_loss,
    round(cells.q3_loss, 12) as q3_loss,
    round(cells.q4_loss, 12) as q4_loss,
    round(cells.q5_loss, 12) as q5_loss,
    round(cells.q6_loss, 12) as q6_loss,
    round(cells.q7_loss, 12) as q7_loss,
    round(
        (
            2 * cells.q1_loss
            + 2 * cells.q2_loss
            + 1 * cells.q3_loss
            + 2 * cells.q4_loss
            + 2 * cells.q5_loss
            + 2 * cells.q6_loss
            + 2 * cells.q7_loss
        ) / 13,
        12
    ) as loss
from cells
