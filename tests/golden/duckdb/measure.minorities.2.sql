-- relation: minorities
-- grain: one row per measure and sensitive attribute
-- inputs: class_values_*, ledger?
-- outputs: place, metric, attribute, value, threshold, failing_records
-- paper: Iyengar 2002, CM: a record is penalized that was suppressed, or whose class has another majority
-- How many records have another value than most of their class; one that was suppressed has no class. Where
-- persons are counted, a record is a pair of a person and a value.
with majorities as (
    select
        1 as place,
        'disease' as attribute,
        class_values.class_id,
        max(class_values.records) as majority,
        sum(class_values.records) as records
    from "sqlanon_class_values_s1" as class_values
    group by class_values.class_id

),

minority_counts as (
    select
        majorities.place,
        majorities.attribute,
        cast(sum(majorities.records) as double) as records,
        cast(sum(majorities.records) - sum(majorities.majority) as double) as minority
    from majorities
    group by majorities.place, majorities.attribute
)

select
    counts.place,
    'classification_metric' as metric,
    counts.attribute,
    round(
        (counts.minority + ledger.records_suppressed) / (counts.records + ledger.records_suppressed), 9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from minority_counts as counts
cross join "sqlanon_ledger" as ledger
