-- relation: unique_records
-- grain: one row
-- inputs: measured, classes
-- outputs: unique_records, unique_share, unique_with_sensitive, unique_with_sensitive_share
-- paper: none
-- How many records of the release no other equals in what it publishes of the quasi-identifiers and in
-- its insensitive columns; how many no other equals in the sensitive ones as well; and the shares of all
-- records that these are.
with tuples as (
    select
        classes.class_id,
        measured.s1,
        count(*) as records
    from "sqlanon_measured" as measured
    inner join "sqlanon_classes" as classes
        on
            measured.p1 is not distinct from classes.p1
            and measured.p2 is not distinct from classes.p2
            and measured.p3 is not distinct from classes.p3
    group by classes.class_id, measured.s1
),

without_sensitive as (
    select
        sum(tuples.records) as records,
        sum(case when tuples.records = 1 then 1 else 0 end) as unique_records
    from tuples
    group by tuples.class_id
),

counts as (
    select
        cast(coalesce(sum(without_sensitive.records), 0) as double) as records,
        cast(
            coalesce(sum(case when without_sensitive.records = 1 then 1 else 0 end), 0) as double
        ) as unique_records,
        cast(coalesce(sum(without_sensitive.unique_records), 0) as double) as unique_with_sensitive
    from without_sensitive
)

select
    counts.unique_records,
    round(counts.unique_records / nullif(counts.records, 0), 9) as unique_share,
    counts.unique_with_sensitive,
    round(counts.unique_with_sensitive / nullif(counts.records, 0), 9) as unique_with_sensitive_share
from counts
