-- relation: class_profiles
-- grain: one row per class and what is known of some of its records
-- inputs: parts, zones, cells
-- outputs: class_id, cluster, b*, records
-- paper: none
-- The cluster of alike background that every class lies in, and how many of its records have each profile.
select
    parts.class_id,
    zones.class_id as cluster,
    cells.b1,
    cast(sum(parts.records) as bigint) as records
from "sqlanon_parts" as parts
inner join "sqlanon_zones" as zones
    on parts.cell_id = zones.cell_id
inner join "sqlanon_cells" as cells
    on parts.cell_id = cells.cell_id
group by
    parts.class_id,
    zones.class_id,
    cells.b1
