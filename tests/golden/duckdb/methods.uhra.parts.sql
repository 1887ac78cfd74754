-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: shares, outcome
-- outputs: cell_id, class_id, records
-- paper: none
-- How many records of each cell go to each class that is kept.
select
    shares.cell_id,
    outcome.class_id,
    shares.records
from "sqlanon_uhra_refined_0" as shares
inner join "sqlanon_outcome" as outcome
    on shares.class_id = outcome.formed
where outcome.failed is null
