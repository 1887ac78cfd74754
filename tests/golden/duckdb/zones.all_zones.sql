select
    chosen_cells.class_id,
    chosen_cells.class_id as root,
    chosen_cells.cell_id,
    chosen_cells.records
from "sqlanon_zone_cells" as chosen_cells
