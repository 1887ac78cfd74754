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
