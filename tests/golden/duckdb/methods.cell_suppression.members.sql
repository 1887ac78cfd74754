select
    shown.tuple_id,
    min(shown.tuple_id) over (
        partition by
            shown.q1_shown
    ) as unit_id,
    shown.q1_shown as q1,
    shown.records
from "sqlanon_cells_shown" as shown
where shown.failed is null
