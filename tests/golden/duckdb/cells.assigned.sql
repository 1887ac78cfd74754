-- relation: assigned
-- grain: one row per record
-- inputs: coded, cells, ranges
-- outputs: class_id, q*, s*, x*
-- paper: none
-- Hand the records of every cell out to its classes, in a seeded order of what else is declared of
-- them; records equal in that too are interchangeable.
with labelled as (
    select
        cast(coded.k1 as varchar) as label_k1,
        coded.k1,
        coded.q1,
        coded.q2,
        coded.q3,
        coded.s1
    from "sqlanon_coded" as coded
),

numbered as (
    select
        labelled.q1,
        labelled.q2,
        labelled.q3,
        labelled.s1,
        cells.cell_id,
        row_number() over (
            partition by cells.cell_id
            order by
                md5(
                    '0'
                    || '|' || coalesce(labelled.label_k1, '')
                ),
                labelled.k1
        ) - 1 as turn
    from labelled
    inner join "sqlanon_cells" as cells
        on
            labelled.q1 = cells.q1
            and labelled.q2 = cells.q2
            and labelled.q3 = cells.q3
            and labelled.s1 = cells.s1
)

select
    ranges.class_id,
    numbered.q1,
    numbered.q2,
    numbered.q3,
    numbered.s1
from numbered
inner join "sqlanon_ranges" as ranges
    on
        numbered.cell_id = ranges.cell_id
        and numbered.turn >= ranges.first_turn
        and numbered.turn < ranges.next_turn
