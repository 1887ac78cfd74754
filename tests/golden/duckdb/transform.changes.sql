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
    'salary' as attribute,
    round(
        cast(sum(case when records.s1 is distinct from records.o1 then 1 else 0 end) as double)
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
    'visits' as attribute,
    round(
        cast(sum(case when records.x1 is distinct from records.o2 then 1 else 0 end) as double)
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
    'visits' as attribute,
    round(
        avg(abs(cast(records.x1 as double) - cast(records.o2 as double))),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
having
    sum(case when records.x1 is distinct from records.o2 then 1 else 0 end) >= 10
union all
select
    1000006 as place,
    'changed_share' as metric,
    'pounds' as attribute,
    round(
        cast(sum(case when cast(records.x2 as varchar) is distinct from cast(records.o3 as varchar) then 1 else 0 end) as double)
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
    'grams' as attribute,
    round(
        cast(sum(case when records.x3 is distinct from records.o4 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
union all
select
    1000009 as place,
    'mean_change' as metric,
    'grams' as attribute,
    round(
        avg(abs(cast(records.x3 as double) - cast(records.o4 as double))),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
having
    sum(case when records.x3 is distinct from records.o4 then 1 else 0 end) >= 10
union all
select
    1000010 as place,
    'changed_share' as metric,
    'admitted' as attribute,
    round(
        cast(sum(case when records.x4 is distinct from records.o5 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
union all
select
    1000011 as place,
    'mean_change' as metric,
    'admitted' as attribute,
    round(
        avg(abs(cast(extract(epoch from cast(records.x4 as timestamp)) as double) - cast(extract(epoch from cast(records.o5 as timestamp)) as double))) / 86400,
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
having
    sum(case when records.x4 is distinct from records.o5 then 1 else 0 end) >= 10
union all
select
    1000012 as place,
    'changed_share' as metric,
    'ward' as attribute,
    round(
        cast(sum(case when records.x5 is distinct from records.o6 then 1 else 0 end) as double)
        / nullif(count(*), 0),
        9
    ) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from "sqlanon_records" as records
