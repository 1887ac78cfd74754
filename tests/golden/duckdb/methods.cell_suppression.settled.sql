select
    settled.unit_id,
    settled.q1,
    settled.records
from "sqlanon_cells_open_1" as settled
union all
select
    joined.unit_id,
    joined.q1,
    joined.records
from "sqlanon_cells_pulled" as joined
