-- relation: classes
-- grain: one row per equivalence class: per distinct published tuple of quasi-identifiers
-- inputs: measured
-- outputs: class_id, records, p*
-- paper: none
-- Classes as a reader of the release sees them, whatever the method formed; NULL equals NULL.
with tuples as (
    select
        measured.p1,
        measured.p2,
        measured.p3,
        measured.p4,
        measured.p5,
        measured.p6,
        measured.p7,
        measured.p8,
        count(*) as records
    from "sqlanon_measured" as measured
    group by measured.p1, measured.p2, measured.p3, measured.p4, measured.p5, measured.p6, measured.p7, measured.p8
)

select
    cast(
        row_number() over (
            order by
                tuples.p1 nulls first,
                tuples.p2 nulls first,
                tuples.p3 nulls first,
                tuples.p4 nulls first,
                tuples.p5 nulls first,
                tuples.p6 nulls first,
                tuples.p7 nulls first,
                tuples.p8 nulls first
        ) as integer
    ) as class_id,
    tuples.records,
    tuples.p1,
    tuples.p2,
    tuples.p3,
    tuples.p4,
    tuples.p5,
    tuples.p6,
    tuples.p7,
    tuples.p8
from tuples
