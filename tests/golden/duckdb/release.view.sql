-- relation: view
-- grain: one row per record
-- inputs: rows
-- outputs: *
-- paper: none
-- A view over the frozen result, never over the source: new records would change the classes.
select
    frozen."age",
    frozen."zip",
    frozen."dose",
    frozen."admitted",
    frozen."sex",
    frozen."town",
    frozen."visits_min",
    frozen."visits_max",
    frozen."disease",
    frozen."pain",
    frozen."salary",
    frozen."ward"
from "patients_public__rows" as frozen
