-- relation: unfitted
-- grain: one row
-- inputs: covered
-- outputs: unfitted, records
-- paper: none
-- How many records are in classes that nobody of the external table fits.
select
    cast(coalesce(sum(case when covered.persons = 0 then covered.records else 0 end), 0) as bigint) as unfitted,
    cast(coalesce(sum(covered.records), 0) as bigint) as records
from "sqlanon_covered" as covered
