-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: found
-- outputs: cell_id, class_id, records
-- paper: none
-- What the search found: how many records of each cell go to each class.
select
    found.cell_id,
    found.class_id,
    found.records
from "sqlanon_deal_parts" as found
