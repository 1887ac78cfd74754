-- relation: profile_combinations
-- grain: one row per combination of columns
-- inputs: records
-- outputs: mask, tuples, single
-- paper: none
-- How many different tuples the records have of some columns, and how many records are alone with
-- theirs. The mask has the bit 2^i where column i, from 0, belongs to the combination.
with tuples as (
    select
        0
        + 1 * (1 - grouping(records.x2))
        + 2 * (1 - grouping(records.x4))
        + 4 * (1 - grouping(records.x6))
        + 8 * (1 - grouping(records.x7))
        + 16 * (1 - grouping(records.x8))
        + 32 * (1 - grouping(records.x12))
            as mask,
        count(*) as records
    from "sqlanon_records" as records
    group by
        grouping sets (
            (records.x2, records.x4, records.x6, records.x7),
            (records.x2, records.x4, records.x6, records.x8),
            (records.x2, records.x4, records.x6, records.x12),
            (records.x2, records.x4, records.x7, records.x8),
            (records.x2, records.x4, records.x7, records.x12),
            (records.x2, records.x4, records.x8, records.x12)
        )
)

select
    tuples.mask,
    count(*) as tuples,
    cast(sum(case when tuples.records = 1 then 1 else 0 end) as bigint) as single
from tuples
group by tuples.mask
