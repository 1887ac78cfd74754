-- relation: candidates
-- grain: one row per open unit and choice of columns that it may give up
-- inputs: units, patterns
-- outputs: unit_id, pattern, cost, records, q*
-- paper: none
-- What a unit would show. What it has given up before costs nothing again, so that choice is no other.
select
    units.unit_id,
    patterns.pattern,
    patterns.cost,
    units.records,
    case when patterns.q2 = 1 then -1 else units.q2 end as q2
from "sqlanon_cells_units" as units
cross join "sqlanon_cells_patterns" as patterns
where
    patterns.cost between 0 and 0
    and (patterns.q2 = 0 or units.q2 <> -1)
