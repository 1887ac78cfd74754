-- relation: failing
-- grain: one row
-- inputs: held
-- outputs: classes
-- paper: none
-- How many classes as dealt violate a model, counted once for each model.
select count(*) as classes
from "sqlanon_dealt_held" as held
where held.holds = 0
