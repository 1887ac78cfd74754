-- relation: zones
-- grain: one row per cell
-- inputs: chosen_cells, zone_classes
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The clusters that are kept, each one class: where a search starts.
with kept as (
    select
        zone_classes.class_id,
        cast(row_number() over (order by zone_classes.class_id) - 1 as bigint) as zone
    from "sqlanon_zone_classes" as zone_classes
    where zone_classes.failed is null
)

select
    kept.zone as class_id,
    kept.zone as root,
    chosen_cells.cell_id,
    chosen_cells.records
from "sqlanon_zone_cells" as chosen_cells
inner join kept
    on chosen_cells.class_id = kept.class_id
