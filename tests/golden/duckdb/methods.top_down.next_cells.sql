with parted as (
    select
        cells.cell_id,
        min(cells.cell_id) over (partition by cells.class_id, offers.part) as class_id,
        cells.class_id * 1140 + offers.part as judged_id,
        cells.q1,
        cells.q2,
        cells.records,
        cells.loss - coalesce(offers.gain, 0) as loss,
        cells.holds
    from "sqlanon_top_down_cells_0" as cells
    left join "sqlanon_top_down_offers" as offers
        on
            cells.q1 = offers.code
            and offers.candidate in (14)
)

select
    parted.cell_id,
    parted.class_id,
    parted.q1,
    parted.q2,
    parted.records,
    parted.loss,
    coalesce(judged_classes.holds, parted.holds) as holds
from parted
left join "sqlanon_top_down_judged_classes" as judged_classes
    on parted.judged_id = judged_classes.class_id
