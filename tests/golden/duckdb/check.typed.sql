-- relation: typed
-- grain: as the table
-- inputs: written
-- outputs: *
-- paper: none
-- A file's columns in the types that the release has, where the file does not keep them. What is no
-- such value becomes NULL, and is missed among the records.
select
    source."age",
    source."zip",
    source."dose",
    source."admitted",
    source."sex",
    source."town",
    source."visits_min",
    source."visits_max",
    source."disease",
    source."pain",
    source."salary",
    source."ward"
from "patients_public" as source
