with
extents_q1 as (
    select
        cut.code,
        min(cut.code) over (partition by cut.level, cut.node) as low,
        max(cut.code) over (partition by cut.level, cut.node) as high
    from "sqlanon_top_down_cut_q1_1" as cut
),

extents_q2 as (
    select
        cut.code,
        min(cut.code) over (partition by cut.level, cut.node) as low,
        max(cut.code) over (partition by cut.level, cut.node) as high
    from "sqlanon_top_down_cut_q2_first" as cut
)

select
    cast(cells.class_id as integer) as class_id,
    cells.q1,
    extents_q1.low as q1_low,
    extents_q1.high as q1_high,
    cells.q2,
    extents_q2.low as q2_low,
    extents_q2.high as q2_high,
    cells.records
from "sqlanon_top_down_cells_1" as cells
inner join extents_q1
    on cells.q1 = extents_q1.code
inner join extents_q2
    on cells.q2 = extents_q2.code
