-- relation: suppressed_cells
-- grain: one row per quasi-identifier
-- inputs: suppressed
-- outputs: quasi_identifier, cells
-- paper: none
-- Of how many records each quasi-identifier is suppressed: what that costs.
select
    'age' as quasi_identifier,
    cast(coalesce(sum(case when suppressed.q3 = -1 then 1 else 0 end), 0) as bigint) as cells
from "sqlanon_suppressed" as suppressed
union all
select
    'zip' as quasi_identifier,
    cast(coalesce(sum(case when suppressed.q4 = -1 then 1 else 0 end), 0) as bigint) as cells
from "sqlanon_suppressed" as suppressed
