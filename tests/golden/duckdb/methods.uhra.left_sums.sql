select
    count(*) - count(outcome.failed) as kept,
    count(outcome.failed) as failing,
    cast(coalesce(sum(case when outcome.failed is not null then outcome.records end), 0) as bigint)
        as failing_records
from "sqlanon_outcome" as outcome
