-- relation: shares
-- grain: one row per cell and class that holds records of it
-- inputs: grown
-- outputs: class_id, cell_id, cluster, block, records
-- paper: none
select
    grown.class_id,
    grown.cell_id,
    grown.cluster,
    grown.block,
    grown.records
from "sqlanon_uhra_grown" as grown
where grown.class_id is not null
