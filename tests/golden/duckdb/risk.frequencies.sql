select
    cast(coalesce(sum(tuples.records), 0) as bigint) as records,
    count(*) as tuples,
    min(tuples.records) as least,
    cast(coalesce(sum(case when tuples.records = 1 then 1 else 0 end), 0) as bigint) as single,
    cast(coalesce(sum(case when tuples.records = 2 then 1 else 0 end), 0) as bigint) as pairs,
    cast(coalesce(sum(cast(tuples.records as decimal(38, 0)) * tuples.records), 0) as decimal(38, 0)) as squares
from "sqlanon_tuples" as tuples
