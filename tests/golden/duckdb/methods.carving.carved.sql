select
    max(done_cells.refused) as refused,
    count(distinct case when done_cells.class_id >= done_cells.classes then done_cells.region end) as regions
from "sqlanon_carve_done" as done_cells
