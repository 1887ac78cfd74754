-- relation: view
-- grain: one row per record
-- inputs: rows
-- outputs: *
-- paper: none
-- A view over the frozen result, never over the source: new records would change the classes.
select
    frozen."age",
    frozen."sex"
from "patients_public__rows" as frozen
