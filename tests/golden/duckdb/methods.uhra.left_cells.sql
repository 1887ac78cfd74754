-- relation: left_cells
-- grain: one row per cell
-- inputs: grown
-- outputs: cluster, block, cell_id, place, records
-- paper: Amiri et al. 2023, algorithm 2, lines 12 and 13
-- What no class has: a cluster's, in the order of its blocks.
select
    grown.cluster,
    grown.block,
    grown.cell_id,
    row_number() over (partition by grown.cluster order by grown.block, grown.place) as place,
    grown.records
from "sqlanon_uhra_grown" as grown
where grown.class_id is null
