select min(held.model) as failed
from "sqlanon_lattice_held" as held
where held.holds = 0
