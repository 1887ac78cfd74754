-- relation: sizes
-- grain: one row
-- inputs: classes, ledger?
-- outputs: records, classes, average_class_size, largest_class, c_avg, discernibility
-- paper: Kiran & Kavya 2012, §5.2 (discernibility, average class size)
-- How many records and classes there are, and how large the classes are. A record that was left out looks like
-- all of the table.
with counts as (
    select
        cast(coalesce(sum(classes.records), 0) as double) as records,
        cast(count(*) as double) as classes,
        cast(max(classes.records) as double) as largest_class,
        cast(sum(cast(classes.records as double) * classes.records) as double) as discernibility
    from "sqlanon_classes" as classes
)

select
    counts.records,
    counts.classes,
    counts.records / nullif(counts.classes, 0) as average_class_size,
    counts.largest_class,
    counts.records / nullif(counts.classes, 0) / 10 as c_avg,
    counts.discernibility + cast(ledger.records_suppressed as double) * ledger.records_in as discernibility
from counts
cross join "sqlanon_ledger" as ledger
