select
    left_cells.cluster,
    left_cells.block,
    left_cells.cell_id,
    row_number() over (partition by left_cells.cluster order by left_cells.place) as place,
    left_cells.records - coalesce(moves.records, 0) as records
from "sqlanon_uhra_left_0" as left_cells
left join "sqlanon_uhra_moves" as moves
    on left_cells.cell_id = moves.cell_id
where left_cells.records > coalesce(moves.records, 0)
