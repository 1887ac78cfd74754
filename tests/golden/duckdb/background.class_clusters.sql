-- relation: class_clusters
-- grain: one row per class
-- inputs: parts, zones
-- outputs: class_id, cluster
-- paper: none
-- The cluster of alike background that every class lies in.
select distinct
    parts.class_id,
    zones.class_id as cluster
from "sqlanon_parts" as parts
inner join "sqlanon_zones" as zones
    on parts.cell_id = zones.cell_id
