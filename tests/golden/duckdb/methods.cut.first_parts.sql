select
    cast(1 as bigint) as level,
    cast(0 as bigint) as lost,
    cast(0 as bigint) as gained,
    cast(parts.class_id as integer) as node,
    cast(0 as bigint) as node_loss,
    cast(parts.class_id as integer) as root,
    parts.cell_id,
    parts.records,
    cells.stratum,
    cells.q1
from "sqlanon_zones" as parts
inner join "sqlanon_search_cells" as cells
    on parts.cell_id = cells.cell_id
