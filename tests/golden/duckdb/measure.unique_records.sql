-- relation: unique_records
-- grain: one row
-- inputs: measured, classes
-- outputs: unique_records, unique_with_sensitive
-- paper: none
-- How many records of the release no other equals in what it publishes of the quasi-identifiers and in
-- its insensitive columns; and how many no other equals in the sensitive ones as well.
with tuples as (
    select
        classes.class_id,
        measured.x1,
        measured.s1,
        measured.s2,
        measured.s3,
        count(*) as records
    from "sqlanon_measured" as measured
    inner join "sqlanon_classes" as classes
        on
            measured.p1 is not distinct from classes.p1
            and measured.p2 is not distinct from classes.p2
            and measured.p3 is not distinct from classes.p3
            and measured.p4 is not distinct from classes.p4
            and measured.p5 is not distinct from classes.p5
            and measured.p6 is not distinct from classes.p6
            and measured.p7 is not distinct from classes.p7
            and measured.p8 is not distinct from classes.p8
    group by classes.class_id, measured.x1, measured.s1, measured.s2, measured.s3
),

without_sensitive as (
    select
        sum(tuples.records) as records,
        sum(case when tuples.records = 1 then 1 else 0 end) as unique_records
    from tuples
    group by tuples.class_id, tuples.x1
)

select
    cast(
        coalesce(sum(case when without_sensitive.records = 1 then 1 else 0 end), 0) as bigint
    ) as unique_records,
    cast(coalesce(sum(without_sensitive.unique_records), 0) as bigint) as unique_with_sensitive
from without_sensitive
