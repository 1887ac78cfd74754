-- relation: tuple_classes
-- grain: one row per combination of quasi-identifiers in the data
-- inputs: shown
-- outputs: class_id, q*, records, failed
-- paper: none
-- Tuples that show the same are a class. A suppressed cell covers all codes in use, from the first to
-- the last; another its own.
with extents as (
    select
        min(shown.q1) as q1_first,
        max(shown.q1) as q1_last
    from "sqlanon_cells_shown_1" as shown
)

select
    min(shown.tuple_id) over (
        partition by
            shown.failed,
            shown.q1_shown
    ) as class_id,
    shown.q1,
    case when shown.q1_shown = -1 then extents.q1_first else shown.q1_shown end as q1_low,
    case when shown.q1_shown = -1 then extents.q1_last else shown.q1_shown end as q1_high,
    shown.records,
    shown.failed
from "sqlanon_cells_shown_1" as shown
cross join extents
