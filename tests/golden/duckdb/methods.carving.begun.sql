select
    max(open_cells.turn) as turn,
    max(open_cells.classes) as classes,
    max(open_cells.refused) as refused,
    cast(sum(open_cells.records) as bigint) as records
from "sqlanon_carve_first" as open_cells
