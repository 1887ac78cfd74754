with located as (
    select
        cells.cell_id,
        cast(0 as bigint) as cluster,
        cells.records,
        cells.q1,
        scale_q1.axis as x1,
        cells.q2,
        scale_q2.axis as x2,
        cells.s1
    from "sqlanon_cells" as cells
    inner join "sqlanon_scale_q1" as scale_q1
        on cells.q1 = scale_q1.original
    inner join "sqlanon_scale_q2" as scale_q2
        on cells.q2 = scale_q2.original
)

select
    located.cell_id,
    located.cluster,
    min(located.cell_id) over (
        partition by
            located.cluster,
            located.q1,
            located.q2
    ) as point,
    located.records,
    located.x1,
    located.x2,
    located.s1
from located
