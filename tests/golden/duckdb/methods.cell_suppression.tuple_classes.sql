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
        max(shown.q1) as q1_last,
        min(shown.q2) as q2_first,
        max(shown.q2) as q2_last,
        min(shown.q3) as q3_first,
        max(shown.q3) as q3_last
    from "sqlanon_cells_shown_0" as shown
)

select
    min(shown.tuple_id) over (
        partition by
            shown.failed,
            shown.q1_shown,
            shown.q2_shown,
            shown.q3_shown
    ) as class_id,
    shown.q1,
    case when shown.q1_shown = -1 then extents.q1_first else shown.q1_shown end as q1_low,
    case when shown.q1_shown = -1 then extents.q1_last else shown.q1_shown end as q1_high,
    shown.q2,
    case when shown.q2_shown = -1 then extents.q2_first else shown.q2_shown end as q2_low,
    case when shown.q2_shown = -1 then extents.q2_last else shown.q2_shown end as q2_high,
    shown.q3,
    case when shown.q3_shown = -1 then extents.q3_first else shown.q3_shown end as q3_low,
    case when shown.q3_shown = -1 then extents.q3_last else shown.q3_shown end as q3_high,
    shown.records,
    shown.failed
from "sqlanon_cells_shown_0" as shown
cross join extents
