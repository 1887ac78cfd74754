-- relation: projected
-- grain: one row per equivalence class
-- inputs: measured, classes
-- outputs: class_id, records
-- paper: Wang & Fung 2006, (X,Y)-anonymity with the persons as Y, X being some of the columns
-- How many persons share the class's published tuple of some columns, each counted once; NULL equals
-- NULL.
with tuples as (
    select
        measured.p1,
        count(distinct measured.x0) as records
    from "sqlanon_measured" as measured
    group by measured.p1
)

select
    classes.class_id,
    tuples.records
from "sqlanon_classes" as classes
inner join tuples
    on
        tuples.p1 is not distinct from classes.p1
