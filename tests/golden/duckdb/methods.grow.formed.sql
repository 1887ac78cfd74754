select
    shares.class_id,
    cells.s1,
    shares.records
from "sqlanon_micro_inside" as shares
inner join "sqlanon_cells" as cells
    on shares.cell_id = cells.cell_id
