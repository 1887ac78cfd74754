with kinds as (
    select distinct
        given.class_id,
        given.kind
    from "sqlanon_exchange_given" as given
)

select
    kinds.class_id,
    kinds.kind,
    cells.cell_id
from kinds
inner join "sqlanon_exchange_boxes" as boxes
    on kinds.class_id = boxes.class_id
inner join "sqlanon_exchange_cells" as cells
    on
        kinds.kind = cells.kind
        and cells.q1 between boxes.low_q1 and boxes.high_q1
        and cells.q2 between boxes.low_q2 and boxes.high_q2
        and cells.q3 between boxes.low_q3 and boxes.high_q3
