-- relation: members
-- grain: one row per combination of quasi-identifiers in the data that is released
-- inputs: shown
-- outputs: tuple_id, unit_id, q*, records
-- paper: none
-- Tuples that show the same are one unit, which keeps together from here on.
select
    shown.tuple_id,
    min(shown.tuple_id) over (
        partition by
            shown.q1_shown,
            shown.q2_shown,
            shown.q3_shown
    ) as unit_id,
    shown.q1_shown as q1,
    shown.q2_shown as q2,
    shown.q3_shown as q3,
    shown.records
from "sqlanon_cells_shown_0" as shown
where shown.failed is null
