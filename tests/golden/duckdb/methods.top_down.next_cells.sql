-- relation: next_cells
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: cells, offers, judged_classes
-- outputs: cell_id, class_id, q*, s*|b*, records, loss, holds
-- paper: none
-- The cells after some specializations of one column: a class that is parted becomes one for each part in it.
with parted as (
    select
        cells.cell_id,
        min(cells.cell_id) over (partition by cells.class_id, offers.part) as class_id,
        cells.class_id * 417 + offers.part as judged_id,
        cells.q1,
        cells.q2,
        cells.q3,
        cells.q4,
        cells.s1,
        cells.records,
        cells.loss - coalesce(offers.gain, 0) as loss,
        cells.holds
    from "sqlanon_top_down_cells_0" as cells
    left join "sqlanon_top_down_offers" as offers
        on
            cells.q3 = offers.code
            and offers.candidate in (242)
)

select
    parted.cell_id,
    parted.class_id,
    parted.q1,
    parted.q2,
    parted.q3,
    parted.q4,
    parted.s1,
    parted.records,
    parted.loss,
    coalesce(judged_classes.holds, parted.holds) as holds
from parted
left join "sqlanon_top_down_judged_classes" as judged_classes
    on parted.judged_id = judged_classes.class_id
