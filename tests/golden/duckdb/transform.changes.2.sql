-- relation: changes
-- grain: one row per measure and attribute
-- inputs: records
-- outputs: place, metric, attribute, value, threshold, failing_records
-- paper: none
-- How many records have another value than in the source, and how far it is from it on average; of
-- days for dates. An average of few changes would give single values back, so there is none of fewer
-- than the least number of records or persons.
select
    1000002 as place,
    'changed_share' as metric,
    'visits' as attribute,
    round(
        cast(sum(case when records.x1 is distinct from records.o1 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
union all
select
    1000004 as place,
    'changed_share' as metric,
    'pounds' as attribute,
    round(
        cast(sum(case when records.x2 is distinct from records.o2 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
union all
select
    1000005 as place,
    'mean_change' as metric,
    'pounds' as attribute,
    round(
        avg(abs(cast(records.x2 as double) - cast(records.o2 as double))),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
having
    sum(case when records.x2 is distinct from records.o2 then 1 else 0 end) >= 10
union all
select
    1000006 as place,
    'changed_share' as metric,
    'ward' as attribute,
    round(
        cast(sum(case when records.x3 is distinct from records.o3 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
union all
select
    1000008 as place,
    'changed_share' as metric,
    'pain' as attribute,
    round(
        cast(sum(case when records.x4 is distinct from records.o4 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
