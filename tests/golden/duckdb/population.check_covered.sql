-- relation: check_covered
-- grain: one row if a published tuple covers fewer of the population than it has records
-- inputs: covered
-- outputs: classes, records, covered
-- paper: none
select
    count(*) as classes,
    cast(sum(covered.records) as bigint) as records,
    cast(sum(covered.covered) as bigint) as covered
from "sqlanon_population_covered" as covered
where covered.covered < covered.records
having count(*) > 0
