-- relation: settled
-- grain: one row per unit that has found its group
-- inputs: settled, joined
-- outputs: unit_id, q*, records
-- paper: none
select
    settled.unit_id,
    settled.q2,
    settled.records
from "sqlanon_cells_settled_1" as settled
union all
select
    joined.unit_id,
    joined.q2,
    joined.records
from "sqlanon_cells_chosen_2" as joined
