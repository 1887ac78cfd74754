select
    cast(coalesce(sum(case when covered.persons = 0 then covered.records else 0 end), 0) as bigint) as unfitted,
    cast(coalesce(sum(covered.records), 0) as bigint) as records
from "sqlanon_covered" as covered
