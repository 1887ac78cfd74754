-- relation: failing
-- grain: one row
-- inputs: held
-- outputs: failed
-- paper: none
-- The first model that a class does not meet, by its place among those that are asked for.
select min(held.model) as failed
from "sqlanon_lattice_held" as held
where held.holds = 0
