-- relation: assigned
-- grain: one row per record
-- inputs: coded, cells, ranges
-- outputs: class_id, q*, s*, x*
-- paper: none
-- Hand the records of every cell out to its classes, in a seeded order of what else is declared of
-- them; records equal in that too are interchangeable.
with labelled as (
    select
        cast(coded.x1 as varchar) as label_x1,
        coded.q1,
        coded.q2,
        coded.q3,
        coded.q4,
        coded.q5,
        coded.q6,
        coded.q7,
        coded.s1,
        coded.s2,
        coded.s3,
        coded.x1
    from "sqlanon_coded" as coded
),

numbered as (
    select
        labelled.q1,
        labelled.q2,
        labelled.q3,
        labelled.q4,
        labelled.q5,
        labelled.q6,
        labelled.q7,
        labelled.s1,
        labelled.s2,
        labelled.s3,
        labelled.x1,
        cells.cell_id,
        row_number() over (
            partition by cells.cell_id
            order by
                md5(
                    '7'
                    || '|' || coalesce(labelled.label_x1, '')
                ),
                labelled.x1
        ) - 1 as turn
    from labelled
    inner join "sqlanon_cells" as cells
        on
            labelled.q1 = cells.q1
            and labelled.q2 = cells.q2
            and labelled.q3 = cells.q3
            and labelled.q4 = cells.q4
            and labelled.q5 = cells.q5
            and labelled.q6 = cells.q6
            and labelled.q7 = cells.q7
            and labelled.s1 = cells.s1
            and labelled.s2 = cells.s2
            and labelled.s3 = cells.s3
)

select
    ranges.class_id,
    numbered.q1,
    numbered.q2,
    numbered.q3,
    numbered.q4,
    numbered.q5,
    numbered.q6,
    numbered.q7,
    numbered.s1,
    numbered.s2,
    numbered.s3,
    numbered.x1
from numbered
inner join "sqlanon_ranges" as ranges
    on
        numbered.cell_id = ranges.cell_id
        and numbered.turn >= ranges.first_turn
        and numbered.turn < ranges.next_turn
