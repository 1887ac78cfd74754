select
    cast(sum(cells.records) as bigint) as records,
    cast(sum(cells.records * (1 - cells.holds)) as bigint) as failing,
    cast(sum(cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds))) as bigint) as lost
from "sqlanon_top_down_cells_0" as cells
