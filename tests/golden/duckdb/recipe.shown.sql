-- relation: shown
-- grain: one row per tuple that the earlier release published
-- inputs: earlier
-- outputs: p*
-- paper: none
-- What an earlier release published of its quasi-identifiers, under the aliases of the new release's columns.
select distinct
    earlier."age" as p1,
    cast(earlier."visits_min" as BIGINT) as p2,
    cast(earlier."visits_max" as BIGINT) as p3,
    earlier."sex" as p4
from "january" as earlier
