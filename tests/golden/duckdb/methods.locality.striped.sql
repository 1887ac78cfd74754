with sizes as (
    select
        min(numbered.rowid) as first_row,
        count(*) as total,
        case
            when count(*) < 2 * 100 then 1
            else (count(*) - count(*) % 100) / 100
        end as stripes
    from "sqlanon_curve_order" as numbered
),

placed as not materialized (
    select
        curve_order.q1,
        curve_order.q2,
        curve_order.q3,
        curve_order.s1,
        curve_order.k1,
        curve_order.rowid - sizes.first_row as position
    from "sqlanon_curve_order" as curve_order
    cross join sizes
),

-- The cells of the first records of every stripe but the first.
border_cells as (
    select distinct
        placed.q1,
        placed.q2,
        placed.q3
    from placed
    cross join sizes
    where
        placed.position > 0
        and floor(cast(placed.position as double) * sizes.stripes / sizes.total)
        > floor(cast(placed.position - 1 as double) * sizes.stripes / sizes.total)
),

numbered as (
    select
        placed.position,
        placed.q1,
        placed.q2,
        placed.q3,
        placed.s1,
        placed.k1,
        min(placed.position) over (
            partition by placed.q1, placed.q2, placed.q3
        ) as start,
        row_number() over (
            partition by placed.q1, placed.q2, placed.q3, placed.s1
            order by placed.k1
        ) as number,
        count(*) over (
            partition by placed.q1, placed.q2, placed.q3, placed.s1
        ) as numbers
    from placed
    inner join border_cells
        on
            placed.q1 = border_cells.q1
            and placed.q2 = border_cells.q2
            and placed.q3 = border_cells.q3
),

turned as (
    select
        numbered.q1,
        numbered.q2,
        numbered.q3,
        numbered.s1,
        numbered.k1,
        numbered.position,
        numbered.start + row_number() over (
            partition by numbered.q1, numbered.q2, numbered.q3
            order by
                cast(2 * numbered.number - 1 as double) / numbered.numbers,
                numbered.s1,
                numbered.k1
        ) - 1 as turned_position
    from numbered
),

cut as (
    select
        turned.q1,
        turned.q2,
        turned.q3,
        turned.s1,
        turned.k1,
        turned.position,
        turned.turned_position
    from turned
    union all
    select
        placed.q1,
        placed.q2,
        placed.q3,
        placed.s1,
        placed.k1,
        placed.position,
        placed.position as turned_position
    from placed
    where
        not exists (
            select 1
            from border_cells
            where
                placed.q1 = border_cells.q1
                and placed.q2 = border_cells.q2
                and placed.q3 = border_cells.q3
        )
)

select
    cut.q1,
    cut.q2,
    cut.q3,
    cut.s1,
    cut.k1,
    cut.position,
    cast(floor(cast(cut.turned_position as double) * sizes.stripes / sizes.total) as integer) as stripe
from cut
cross join sizes
